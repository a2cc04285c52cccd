const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML or XML shows it, in elements and in attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
