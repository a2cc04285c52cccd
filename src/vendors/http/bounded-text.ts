import { badAnswer } from './no-answer.ts';

/** The body as text, read piece by piece. Throws a VendorError when it is longer than `max` characters. */
export async function boundedText(
  response: Response,
  { vendor, max, write = false }: { readonly vendor: string; readonly max: number; readonly write?: boolean },
): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > max) throw badAnswer(vendor, 'it is too long', { write });
  }
  return text + decoder.decode();
}
