import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { head, visibleText } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';
import { type JsonObject, jsonOf, parseJson } from '../../core/json.ts';
import { isObject } from '../../core/json-schema-value.ts';
import type { Pin } from '../../core/mcp.ts';
import { own } from '../../core/own-property.ts';
import { quoted, withoutSecrets } from './errors.ts';
import type { McpResult } from './port.ts';

/** Maximum characters kept of an answer: the limit in every pinned tool's manifest. */
const maxText = 8_000;
/** Maximum characters read: invisible ones among them are dropped. */
const maxRead = 4 * maxText;

/** A tool's answer as a result. Anything the server calls an error is one; for a write it is then unknown how far it got. */
export function readResult(
  { name, pinned }: Pin,
  answer: CallToolResult,
  secrets: readonly string[],
): McpResult {
  const said = answer.content.map(saidIn).filter(Boolean).join('\n');
  const text = visibleText(withoutSecrets(head(said, maxRead), secrets));
  if (answer.isError === true) {
    const message = `${name} reported an error: ${quoted(text, secrets) || 'without saying which'}`;
    throw new VendorError('mcp_tool_error', message, {
      ...{ retryable: false, mayHaveHappened: pinned.effect === 'write' },
    });
  }
  const structured = fieldsIn(answer, said);
  const fields = Object.keys(pinned.results).flatMap((field) => {
    const value = own(structured, field);
    return value === undefined
      ? []
      : [[field, typeof value === 'string' ? visibleText(head(value, maxRead)) : value]];
  });
  const lines = firstLines(text);
  return {
    ...Object.fromEntries(fields),
    lines,
    truncated: lines.length < text.length || said.length > maxRead,
  };
}

type Content = CallToolResult['content'][number];

/** A part of an answer as text. Addresses in it stay plain text. */
function saidIn(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'resource_link':
      return `${content.name} ${content.uri}`;
    case 'resource':
      return 'text' in content.resource ? content.resource.text : `(${content.resource.uri} is not text)`;
    default:
      return `(${content.type}, which is not shown)`;
  }
}

/** The structured answer; for older servers the text, if that is a JSON object. */
function fieldsIn({ structuredContent }: CallToolResult, text: string): JsonObject {
  const found = structuredContent ?? parseJson(text);
  const json = isObject(found) ? jsonOf(found) : {};
  return isObject(json) ? json : {};
}

/** As many whole lines as fit; the beginning of a line that is too long. */
function firstLines(text: string): string {
  if (text.length <= maxText) return text;
  const kept = head(text, maxText);
  const end = kept.lastIndexOf('\n');
  return end > maxText / 2 ? kept.slice(0, end) : kept;
}
