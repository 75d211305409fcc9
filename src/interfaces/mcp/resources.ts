import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server';
import { isMnemeError, type MnemeError } from '../../model/errors.ts';
import { listFiles } from '../../operations/browse/files.ts';
import { runOperation } from '../../operations/operation.ts';
import { isSearched } from '../../search-index/chunk/chunk-file.ts';
import { type ToolCall, fence } from './tool.ts';
import { trustOfRead } from '../../operations/trust-of-read.ts';
import { CORE_FILE, CORE_URI, FILE_TEMPLATE, SESSION_TEMPLATE, fileUri, readVisible } from './uris.ts';
import { decodePercents } from '../../model/text.ts';

const MARKDOWN = { mimeType: 'text/markdown' } as const;
/** More than a client shows in a menu. */
const MAX_COMPLETIONS = 100;
const MAX_LISTED = 50;

type OpenCall = () => Promise<ToolCall>;

interface ResourceParts {
  readonly openCall: OpenCall;
  /** Runs it for as long as a call may take. */
  readonly limit: <T>(body: () => Promise<T>) => Promise<T>;
  readonly toClientError: (thrown: unknown) => MnemeError;
}

/** Resources that a client may show or attach by itself: core memory, any file, any session. */
export function registerResources(server: McpServer, { openCall, limit, toClientError }: ResourceParts): void {
  const readText = async (uri: URL, target: string): Promise<ReadResourceResult> => {
    try {
      const { path, store, text, trust } = await limit(async () => {
        const call = await openCall();
        const result = await readVisible(call, { target });
        return { ...result, trust: await runOperation(trustOfRead, call.context, { target, ...result }) };
      });
      // Clients attach resources to a prompt: what stands in them is marked as what tools return is.
      return { contents: [{ uri: uri.href, text: fence({ path, store, trust }, text), ...MARKDOWN }] };
    } catch (error) {
      if (isMnemeError(error, 'not-found') || isMnemeError(error, 'usage')) throw new ResourceNotFoundError(uri.href);
      throw toClientError(error);
    }
  };
  server.registerResource(
    'core',
    CORE_URI,
    { title: 'Core memory', description: 'What is always in context (MEMORY.md).', ...MARKDOWN },
    (uri) => readText(uri, CORE_FILE),
  );
  server.registerResource(
    'file',
    new ResourceTemplate(FILE_TEMPLATE, {
      list: () => limit(async () => ({ resources: await listResources(openCall) })),
      complete: { path: (begun) => limit(() => completePath(openCall, begun)) },
    }),
    { title: 'Memory file', description: 'A file of the memory, by its path.', ...MARKDOWN },
    (uri, { path }) => readText(uri, decodePercents(String(path))),
  );
  server.registerResource(
    'session',
    new ResourceTemplate(SESSION_TEMPLATE, { list: undefined }),
    { title: 'Conversation', description: 'The transcript of a session, by its id.', ...MARKDOWN },
    (uri, { id }) => readText(uri, decodePercents(String(id))),
  );
}

async function completePath(openCall: OpenCall, begun: string): Promise<string[]> {
  const { context } = await openCall();
  const { files } = await runOperation(listFiles, context, { under: begun });
  return files.map(({ path }) => path).slice(0, MAX_COMPLETIONS);
}

/** The resources in a client's menu of things to attach: the latest changes come first. */
async function listResources(openCall: OpenCall): Promise<Resource[]> {
  const { context } = await openCall();
  const { files } = await runOperation(listFiles, context, {});
  return files
    .filter(({ path }) => path !== CORE_FILE && isSearched({ source: 'workspace', path }, context.layout))
    .sort((one, other) => (one.modified > other.modified ? -1 : 1))
    .slice(0, MAX_LISTED)
    .map(({ path, bytes, modified }) => ({
      uri: fileUri(path),
      name: path,
      size: bytes,
      annotations: { lastModified: modified },
      mimeType: MARKDOWN.mimeType,
    }));
}
