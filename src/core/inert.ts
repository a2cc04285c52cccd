/** Control and format characters (direction overrides, zero-width marks), but not line feed and tab. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;

/** Text without characters that a reader cannot see; line ends become \n. Every sink's encoder starts from this. */
export function visibleText(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(/\r\n?/g, '\n').replace(invisible, '');
}
