/** A note with the mark by which it is found again. People see it: PagerDuty keeps nothing else beside a note. */
export function markedNote(text: string, mark: string): string {
  return `${text}\n[${mark}]`;
}

export function endsWithMark(content: string, mark: string): boolean {
  return content.trimEnd().endsWith(`[${mark}]`);
}
