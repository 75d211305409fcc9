import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

interface StaticFile {
  readonly bytes: Buffer;
  /** Undefined where compressing does not pay. */
  readonly zipped: Buffer | undefined;
  readonly type: string;
  readonly tag: string;
  /** Its name holds the hash of its content: it never changes. */
  readonly isForever: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Nothing from elsewhere, nothing inline: what is remembered may hold anything, and is shown here. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The dashboard's files, in memory: there are few, and no request ever becomes a path of the disk. */
export class StaticFiles {
  readonly #files: ReadonlyMap<string, StaticFile>;

  private constructor(files: ReadonlyMap<string, StaticFile>) {
    this.#files = files;
  }

  static open(folder: string | undefined): StaticFiles {
    return new StaticFiles(folder === undefined ? new Map() : readFolder(folder));
  }

  /** Whether there is a page to show. */
  get hasPage(): boolean {
    return this.#files.has('/index.html');
  }

  /** Undefined when there is nothing of that name. Addresses within the page are the page's own. */
  answer(pathname: string, headers: Headers): Response | undefined {
    const isView = !path.posix.basename(pathname).includes('.');
    const file = this.#files.get(pathname) ?? (isView ? this.#files.get('/index.html') : undefined);
    if (file === undefined) return undefined;
    const common = {
      etag: file.tag,
      'cache-control': file.isForever ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': PAGE_POLICY,
    };
    if (headers.get('if-none-match') === file.tag) return new Response(null, { status: 304, headers: common });
    const isZipped = file.zipped !== undefined && /\bgzip\b/u.test(headers.get('accept-encoding') ?? '');
    const body = isZipped ? file.zipped : file.bytes;
    return new Response(new Uint8Array(body), {
      headers: {
        ...common,
        'content-type': file.type,
        vary: 'accept-encoding',
        ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
      },
    });
  }
}

function readFolder(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const full = path.join(entry.parentPath, entry.name);
    const name = `/${path.relative(folder, full).split(path.sep).join('/')}`;
    const bytes = fs.readFileSync(full);
    const type = TYPES[path.extname(name).toLowerCase()];
    if (type === undefined) continue;
    const isText = !/^(?:image\/png|image\/x-icon|font\/)/u.test(type);
    files.set(name, {
      bytes,
      zipped: isText ? gzipSync(bytes) : undefined,
      type,
      tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      isForever: name.startsWith('/assets/'),
    });
  }
  return files;
}

/** A file or folder of the package; it stands above both this folder and the bundle's. Undefined when it is not there. */
export function findPackageFile(relative: string): string | undefined {
  const candidates = [`../${relative}`, `../../../${relative}`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return candidates.find((file) => fs.existsSync(file));
}
