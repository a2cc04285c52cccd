import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { VendorError } from '../../core/errors.ts';
import { head, visibleText } from '../../core/inert.ts';
import { type JsonObject, jsonOf, parseJson } from '../../core/json.ts';
import { isObject } from '../../core/json-schema-value.ts';
import type { Pin } from '../../core/mcp.ts';
import { own } from '../../core/own.ts';
import { quoted, withoutSecrets } from './errors.ts';
import type { McpResult } from './port.ts';

/** Characters of an answer that are kept: what the manifest of every pinned tool allows. */
const maxText = 8_000;
/** Characters that are looked at: what is not visible in them is not kept. */
const maxRead = 4 * maxText;

/** A tool's answer as a result. What a server calls an error is one; of a write nobody then knows how far it came. */
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

/** A piece of an answer as text. Addresses in it are text like any other. */
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

/** The structured answer; of an older server its text, where that is a JSON object. */
function fieldsIn({ structuredContent }: CallToolResult, text: string): JsonObject {
  const found = structuredContent ?? parseJson(text);
  const json = isObject(found) ? jsonOf(found) : {};
  return isObject(json) ? json : {};
}

/** As many whole lines as fit; of one that is longer its beginning. */
function firstLines(text: string): string {
  if (text.length <= maxText) return text;
  const kept = head(text, maxText);
  const end = kept.lastIndexOf('\n');
  return end > maxText / 2 ? kept.slice(0, end) : kept;
}
