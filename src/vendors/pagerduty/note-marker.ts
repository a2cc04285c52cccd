/** A note with the mark for finding it again. People see it: PagerDuty stores nothing else with a note. */
export function markedNote(text: string, mark: string): string {
  return `${text}\n[${mark}]`;
}

export function endsWithMark(content: string, mark: string): boolean {
  return content.trimEnd().endsWith(`[${mark}]`);
}
