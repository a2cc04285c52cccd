import type { AdfDocument } from './model.ts';

/** The allowed content of a node. `content` lists node types; `required` and `optional` name attributes. */
interface NodeRule {
  readonly content?: readonly string[];
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
}

const inline = ['text', 'hardBreak', 'mention', 'emoji', 'date', 'status', 'inlineCard'];
const lists = ['bulletList', 'orderedList'];
const simple = ['paragraph', 'heading', 'codeBlock', 'rule', ...lists];
const top = [...simple, 'blockquote', 'panel', 'table', 'expand', 'blockCard'];

/** The parts of ADF version 1 that text-only integrations write, from Atlassian's published JSON schema. */
const rules: Readonly<Record<string, NodeRule>> = {
  doc: { content: top },
  paragraph: { content: inline, optional: ['localId'] },
  heading: { content: inline, required: ['level'], optional: ['localId'] },
  codeBlock: { content: ['text'], optional: ['language', 'uniqueId', 'localId'] },
  rule: {},
  bulletList: { content: ['listItem'], minimum: 1, optional: ['localId'] },
  orderedList: { content: ['listItem'], minimum: 1, optional: ['order', 'localId'] },
  listItem: { content: ['paragraph', 'codeBlock', ...lists], minimum: 1, optional: ['localId'] },
  blockquote: { content: ['paragraph', 'codeBlock', ...lists], minimum: 1 },
  panel: { content: simple, minimum: 1, required: ['panelType'] },
  expand: { content: simple, minimum: 1, optional: ['title'] },
  table: {
    content: ['tableRow'],
    minimum: 1,
    optional: ['isNumberColumnEnabled', 'layout', 'localId', 'width'],
  },
  tableRow: { content: ['tableHeader', 'tableCell'] },
  tableHeader: { content: simple, minimum: 1, optional: ['colspan', 'rowspan', 'colwidth', 'background'] },
  tableCell: { content: simple, minimum: 1, optional: ['colspan', 'rowspan', 'colwidth', 'background'] },
  hardBreak: { optional: ['text'] },
  mention: { required: ['id'], optional: ['text', 'accessLevel', 'userType'] },
  emoji: { required: ['shortName'], optional: ['id', 'text'] },
  date: { required: ['timestamp'] },
  status: { required: ['text', 'color'], optional: ['style', 'localId'] },
  inlineCard: { required: ['url'] },
  blockCard: { required: ['url'] },
};

const markAttributes: Readonly<Record<string, readonly string[]>> = {
  strong: [],
  em: [],
  code: [],
  strike: [],
  underline: [],
  subsup: ['type'],
  textColor: ['color'],
  link: ['href'],
};

/** True for documents that Jira accepts. Its answer to anything else is just INVALID_INPUT. */
export function isDocument(value: unknown): value is AdfDocument {
  return isRecord(value) && value.type === 'doc' && value.version === 1 && isNode(value, ['doc'], 0);
}

/** All text of a document, nodes separated by spaces. */
export function documentText(value: unknown): string {
  if (Array.isArray(value)) return value.map(documentText).join(' ');
  if (!isRecord(value)) return '';
  return typeof value.text === 'string' ? value.text : documentText(value.content);
}

function isNode(value: unknown, allowed: readonly string[], depth: number): boolean {
  if (!isRecord(value) || typeof value.type !== 'string' || depth > 30) return false;
  if (!allowed.includes(value.type)) return false;
  if (value.type === 'text') return isText(value);
  const rule = Object.hasOwn(rules, value.type) ? rules[value.type] : undefined;
  if (rule === undefined || !hasOnly(value, ['type', 'version', 'attrs', 'content', 'marks'])) return false;
  if (!areAttributes(value.attrs, rule) || !isHeadingLevel(value)) return false;
  if (rule.content === undefined) return value.content === undefined;
  const content = value.content ?? [];
  if (!Array.isArray(content) || content.length < (rule.minimum ?? 0)) return false;
  if (value.type === 'doc' && !Array.isArray(value.content)) return false;
  const { content: children } = rule;
  return content.every((child) => isNode(child, children, depth + 1));
}

/** An empty text node is the most common cause of INVALID_INPUT. */
function isText(node: Readonly<Record<string, unknown>>): boolean {
  if (typeof node.text !== 'string' || node.text.length === 0) return false;
  if (!hasOnly(node, ['type', 'text', 'marks'])) return false;
  return node.marks === undefined || (Array.isArray(node.marks) && node.marks.every(isMark));
}

function isMark(mark: unknown): boolean {
  if (!isRecord(mark) || typeof mark.type !== 'string') return false;
  const required = Object.hasOwn(markAttributes, mark.type) ? markAttributes[mark.type] : undefined;
  if (required === undefined) return false;
  const { attrs } = mark;
  return required.every((name) => isRecord(attrs) && typeof attrs[name] === 'string');
}

function areAttributes(attrs: unknown, rule: NodeRule): boolean {
  const required = rule.required ?? [];
  if (attrs === undefined) return required.length === 0;
  if (!isRecord(attrs)) return false;
  return (
    hasOnly(attrs, [...required, ...(rule.optional ?? [])]) &&
    required.every((name) => attrs[name] !== undefined)
  );
}

function isHeadingLevel(node: Readonly<Record<string, unknown>>): boolean {
  if (node.type !== 'heading') return true;
  const level = isRecord(node.attrs) ? node.attrs.level : undefined;
  return typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 6;
}

function hasOnly(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
