import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** A PEM file for NODE_EXTRA_CA_CERTS, which Node only reads when a process starts. */
  readonly caPath: string;
  /** The temporary folder that holds the file. */
  readonly folder: string;
  remove(): Promise<void>;
}

const fast = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** A certificate for localhost, 127.0.0.1 and other names, signed by its own authority and valid for a week. */
export async function makeCertificate(names: readonly string[] = []): Promise<Certificate> {
  const notAfterDate = new Date(Date.now() + 7 * 86_400_000);
  const authority = await generate([{ name: 'commonName', value: `Sandbox ${crypto.randomUUID()}` }], {
    ...fast,
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...fast,
    notAfterDate,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          ...names.map((value) => ({ type: 2, value }) as const),
        ],
      },
    ],
  });
  const folder = await mkdtemp(join(tmpdir(), 'countersign-sandbox-'));
  const caPath = join(folder, 'authority.pem');
  await writeFile(caPath, authority.cert, { mode: 0o600 });
  return {
    key: leaf.private,
    cert: leaf.cert,
    caPath,
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

let own: Promise<Certificate> | undefined;

/**
 * The certificate of this process, which all its sandboxes share until it ends: each authority that a process comes to trust
 * makes it read all the others again.
 */
export function ownCertificate(): Promise<Certificate> {
  own ??= makeCertificate().then((made) => {
    process.once('exit', () => rmSync(made.folder, { recursive: true, force: true }));
    return made;
  });
  return own;
}
