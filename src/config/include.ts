import { type Document, LineCounter, parseDocument } from 'yaml';
import { yamlValues } from '../core/yaml-values.ts';
import type { Complaint, IncludedFile, Path } from './complaint.ts';
import { maxConfigBytes, tooLarge } from './file.ts';

/** One problem in `countersign.yml` or a file that it includes, by line. */
export interface ConfigProblem {
  /** The included file that it is in; absent for the operator's file itself. */
  readonly file?: string;
  /** 1-based; 1 when the position is unknown. */
  readonly line: number;
  /** For example `services.ops.routing_key`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** Sections that may be spread over files: lists are joined in the order of the files' names. */
const lists: readonly string[] = ['rules', 'schedules', 'queries', 'causes', 'guidance'];
const maps: readonly string[] = ['teams', 'services', 'projects', 'channels', 'people', 'glossary'];

interface ParsedFile {
  /** Null for the operator's file itself. */
  readonly name: string | null;
  readonly document: Document;
  readonly lines: LineCounter;
  /** Null when it is empty. */
  readonly values: Readonly<Record<string, unknown>> | null;
}

/** All files as one, with the way back from a setting to its line. */
export interface Together {
  readonly values: Readonly<Record<string, unknown>> | null;
  readonly problems: readonly ConfigProblem[];
  readonly locate: (complaint: Complaint) => ConfigProblem;
}

/** The operator's file with those that it includes. `find` gives the files of a pattern, in order. */
export function readTogether(
  source: string,
  find: ((pattern: string) => readonly IncludedFile[]) | undefined,
): Together {
  const main = parse(null, source);
  if ('problems' in main)
    return { values: null, problems: main.problems, locate: (one) => locatedIn(null, one) };
  const places = new Map<string, { readonly file: ParsedFile; readonly key: PropertyKey }>();
  const locate = (complaint: Complaint): ConfigProblem => {
    const [section = '', key = '', ...rest] = complaint.path;
    const place = places.get(`${String(section)}.${String(key)}`);
    if (place === undefined) return locatedIn(main, complaint);
    return { ...locatedIn(place.file, { ...complaint, path: [section, place.key, ...rest] }) };
  };
  const patterns = main.values?.include ?? [];
  if (main.values === null || !Array.isArray(patterns) || find === undefined)
    return { values: main.values, problems: [], locate };
  const values: Record<string, unknown> = { ...main.values };
  const problems: ConfigProblem[] = [];
  const seen = new Set<string>();
  for (const [index, pattern] of patterns.entries()) {
    const files = find(String(pattern)).filter(({ name }) => !seen.has(name));
    if (files.length === 0)
      problems.push(
        locatedIn(main, { path: ['include', index], message: `no file matches ${String(pattern)}` }),
      );
    for (const { name, source: text } of files) {
      seen.add(name);
      const file = parse(name, text);
      if ('problems' in file) problems.push(...file.problems);
      else problems.push(...add(values, file, places));
    }
  }
  for (const { name, source: text } of catalogueFiles(values).flatMap((pattern) => find(pattern))) {
    // It may hold thousands of errors, which are read when they are asked for.
    if (seen.has(name) || !/^causes\s*:/m.test(text)) continue;
    const file = parse(name, text);
    if ('problems' in file) problems.push(...file.problems);
    else problems.push(...add(values, { ...file, values: { causes: file.values?.causes } }, places));
  }
  return { values, problems, locate };
}

/** The YAML files of the error catalogue. */
function catalogueFiles({ errors }: Readonly<Record<string, unknown>>): string[] {
  const files = typeof errors === 'object' && errors !== null && 'files' in errors ? errors.files : [];
  return (Array.isArray(files) ? files : []).map(String).filter((file) => /\.ya?ml$/i.test(file));
}

/** Adds the sections of a file to those before it; what cannot be added is a problem. */
function add(
  values: Record<string, unknown>,
  file: ParsedFile,
  places: Map<string, { readonly file: ParsedFile; readonly key: PropertyKey }>,
): ConfigProblem[] {
  return Object.entries(file.values ?? {}).flatMap(([section, given]): ConfigProblem[] => {
    const wrong = (path: Path, message: string) => [locatedIn(file, { path, message })];
    const before = values[section];
    if (lists.includes(section)) {
      if (!Array.isArray(given)) return wrong([section], 'must be a list');
      const old = Array.isArray(before) ? before : [];
      for (const key of given.keys()) places.set(`${section}.${old.length + key}`, { file, key });
      values[section] = [...old, ...given];
      return [];
    }
    if (!maps.includes(section))
      return wrong([section], `is not for an included file, which may have ${all}`);
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return wrong([section], 'must be a mapping of names');
    const old = typeof before === 'object' && before !== null ? before : {};
    const twice = Object.keys(given).filter((key) => Object.hasOwn(old, key));
    if (twice.length > 0) {
      return twice.flatMap((key) => wrong([section, key], `is already in ${holderOf(section, key, places)}`));
    }
    for (const key of Object.keys(given)) places.set(`${section}.${key}`, { file, key });
    values[section] = { ...old, ...given };
    return [];
  });
}

const all = [...maps, ...lists].join(', ');

function holderOf(
  section: string,
  key: string,
  places: ReadonlyMap<string, { readonly file: ParsedFile }>,
): string {
  return places.get(`${section}.${key}`)?.file.name ?? 'the file that includes it';
}

/** One slip causes many more errors further down. */
const maxYamlErrors = 5;

function parse(
  name: string | null,
  source: string,
): ParsedFile | { readonly problems: readonly ConfigProblem[] } {
  const at = name === null ? {} : { file: name };
  if (source.length > maxConfigBytes) return { problems: [{ ...at, line: 1, path: '', message: tooLarge }] };
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  if (document.errors.length > 0) {
    const problems = document.errors.slice(0, maxYamlErrors).map((error) => ({
      ...{ ...at, path: '', line: lines.linePos(error.pos[0]).line },
      message:
        error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'is not valid YAML',
    }));
    return { problems };
  }
  const read = yamlValues(document, source);
  if ('message' in read) return { problems: [{ ...at, path: '', ...read }] };
  const { values } = read;
  return { name, document, lines, values: values as ParsedFile['values'] };
}

function locatedIn(file: ParsedFile | null, { path, message }: Complaint): ConfigProblem {
  const at = file === null || file.name === null ? {} : { file: file.name };
  return { ...at, line: file === null ? 1 : lineOf(file, path), path: path.map(String).join('.'), message };
}

function lineOf({ document, lines }: ParsedFile, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
      return lines.linePos(node.range[0]).line;
    }
  }
  return 1;
}
