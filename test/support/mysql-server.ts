import { once } from 'node:events';
import { createServer } from 'mysql2';

/** The stand-in's answer to a statement: rows of words or of 64-bit numbers, an error by MySQL's number, or nothing at all. */
export type MysqlAnswer =
  | { readonly columns: readonly string[]; readonly rows: readonly MysqlRow[]; readonly json?: true }
  | { readonly error: number; readonly message: string }
  | 'silence';

type MysqlRow = readonly string[] | readonly bigint[];

export interface MysqlStandIn {
  readonly url: string;
  /** Statements in the order in which they came; values of prepared ones behind them. */
  readonly heard: string[];
  /** Connections that are open. */
  sessions(): number;
  close(): Promise<void>;
}

/** The server side of a connection of mysql2, which its types do not describe. */
interface Wire {
  /** Number of the next packet: each command begins anew, which mysql2's server leaves to whoever uses it. */
  sequenceId: number;
  serverHandshake(args: object): void;
  on(event: string, listener: (...args: never[]) => void): void;
  writeOk(): void;
  writeEof(): void;
  writeError(error: { code: number; message: string }): void;
  writeColumns(columns: readonly object[]): void;
  writeTextRow(row: readonly string[]): void;
  writePacket(packet: object): void;
}

/** Protocol 4.1 with transactions and secure passwords; without TLS and compression, which this server cannot do. */
const capabilities = 0x08_a2_0f;

const [text, longlong, json] = [253, 8, 245];
const column = (name: string, columnType: number) => ({
  ...{ catalog: 'def', schema: 'shop', table: 't', orgTable: 't', name, orgName: name },
  ...{ characterSet: 33, columnLength: 400, columnType, flags: 0, decimals: 0 },
});

/** A MySQL that speaks the protocol of mysql2's own server, prepared statements included, and answers as it is told. */
export async function startMysql(answer: (statement: string) => MysqlAnswer): Promise<MysqlStandIn> {
  const heard: string[] = [];
  const server = createServer((connection) => {
    const wire = connection as unknown as Wire;
    serve(wire, heard, answer);
    const authCallback = (_who: object, done: (error: null) => void) => {
      done(null);
      wire.sequenceId = 0;
    };
    wire.serverHandshake({
      ...{ protocolVersion: 10, serverVersion: '8.4.0', connectionId: 1, statusFlags: 2, characterSet: 33 },
      ...{
        capabilityFlags: capabilities,
        authCallback,
      },
    });
  });
  const listener = (server as unknown as { _server: import('node:net').Server })._server;
  const sockets = new Set<import('node:net').Socket>();
  listener.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `mysql://reader:secret@127.0.0.1:${port}/shop`,
    heard,
    sessions: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function serve(wire: Wire, heard: string[], answer: (statement: string) => MysqlAnswer): void {
  let prepared = '';
  const isSetting = (statement: string) => /^(set|start transaction|rollback|kill)\b/i.test(statement);
  const on = (event: string, take: (...args: never[]) => void) =>
    wire.on(event, (...args: never[]) => {
      wire.sequenceId = 1;
      take(...args);
      wire.sequenceId = 0;
    });
  wire.on('error', () => undefined);
  on('query', (statement: string) => {
    heard.push(statement);
    if (isSetting(statement)) wire.writeOk();
    else reply(wire, answer(statement), (row) => wire.writeTextRow(row.map(String)));
  });
  on('stmt_prepare', (statement: string) => {
    heard.push(statement);
    // mysql2 hands over SET here as well, though it was no statement to be prepared.
    if (isSetting(statement)) wire.writeOk();
    else {
      prepared = statement;
      writePrepared(wire, statement.split('?').length - 1);
    }
  });
  on('stmt_execute', (_id: number, _flags: number, _times: number, values: unknown[]) => {
    heard.push(`execute ${JSON.stringify(values)}`);
    reply(wire, answer(prepared), (row) => writeBinary(wire, row));
  });
}

function reply(wire: Wire, answer: MysqlAnswer, writeRow: (row: MysqlRow) => void): void {
  if (answer === 'silence') return;
  if ('error' in answer) {
    wire.writeError({ code: answer.error, message: answer.message });
    return;
  }
  const type = answer.json ? json : typeof answer.rows[0]?.[0] === 'bigint' ? longlong : text;
  wire.writeColumns(answer.columns.map((name) => column(name, type)));
  for (const row of answer.rows) writeRow(row);
  wire.writeEof();
}

/** The values of a row behind a head and a map of nulls. mysql2's server knows no numbers, and is slow with long texts. */
function writeBinary(wire: Wire, row: MysqlRow): void {
  wire.writePacket(packet(Buffer.concat([Buffer.alloc(2), ...row.map(binary)])));
}

/** A number has eight bytes, a text its length before it: one byte, or a mark and three. */
function binary(cell: string | bigint): Buffer {
  const head = Buffer.alloc(8);
  if (typeof cell === 'bigint') {
    head.writeBigInt64LE(cell);
    return head;
  }
  const bytes = Buffer.from(cell);
  if (bytes.length < 251) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  head.writeUInt8(0xfd);
  head.writeUIntLE(bytes.length, 1, 3);
  return Buffer.concat([head.subarray(0, 4), bytes]);
}

/** A packet as mysql2 writes it: four bytes for its length and number, then what is in it. */
function packet(body: Buffer): object {
  const buffer = Buffer.concat([Buffer.alloc(4), body]);
  return {
    buffer,
    length: () => buffer.length,
    writeHeader(sequence: number) {
      buffer.writeUIntLE(body.length, 0, 3);
      buffer.writeUInt8(sequence, 3);
    },
  };
}

function writePrepared(wire: Wire, parameters: number): void {
  const body = Buffer.alloc(12);
  body.writeUInt32LE(1, 1);
  body.writeUInt16LE(parameters, 7);
  wire.writePacket(packet(body));
  for (let one = 0; one < parameters; one += 1) wire.writePacket(definition('?'));
  if (parameters > 0) wire.writeEof();
}

function definition(name: string): object {
  const texts = ['def', '', '', '', name, ''].map((text) =>
    Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]),
  );
  return packet(Buffer.concat([...texts, Buffer.from([0x0c, 33, 0, 0, 1, 0, 0, 253, 0, 0, 0, 0, 0])]));
}
