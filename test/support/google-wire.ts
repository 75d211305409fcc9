import type { ReceivedRequest } from '../../src/providers/embeddings/testing/provider-server.ts';
import { findSchemaProblem, hear, tokensOf, type ModelReply, type WireAnswer } from './model-wire.ts';

/** `POST /v1beta/models/MODEL:generateContent` as Google answers it. */

interface Content {
  readonly role?: string;
  readonly parts?: readonly { readonly text?: string }[];
}

interface GenerateBody {
  readonly systemInstruction?: Content;
  readonly contents?: readonly Content[];
  readonly generationConfig?: {
    readonly maxOutputTokens?: number;
    readonly responseMimeType?: string;
    readonly responseJsonSchema?: unknown;
  };
}

const PATH = /^\/v1beta\/models\/(?<model>[^/:]+):generateContent(?:\?|$)/u;

export function isGoogle({ path }: ReceivedRequest): boolean {
  return PATH.test(path);
}

export function answerGoogle(request: ReceivedRequest, reply: ModelReply): WireAnswer {
  if (request.headers['x-goog-api-key'] === undefined) {
    return googleError(403, 'PERMISSION_DENIED', 'Method doesn’t allow unregistered callers.');
  }
  const body = (request.body ?? {}) as GenerateBody;
  const problem = findProblem(body);
  if (problem !== undefined) return googleError(400, 'INVALID_ARGUMENT', problem);
  const model = PATH.exec(request.path)?.groups?.['model'] ?? '';
  const system = textOf(body.systemInstruction ?? {});
  const messages = (body.contents ?? []).map((content) => ({ role: content.role ?? 'user', text: textOf(content) }));
  const schema = body.generationConfig?.responseJsonSchema;
  const asked = { vendor: 'google', model, system, messages, ...(schema === undefined ? {} : { schema }) } as const;
  const { text, ending } = hear(reply(asked), body.generationConfig?.maxOutputTokens);
  const prompt = tokensOf(system) + messages.reduce((sum, message) => sum + tokensOf(message.text), 0);
  const candidates = ending === 'refused' ? 0 : tokensOf(text);
  const content = ending === 'refused' ? {} : { content: { role: 'model', parts: [{ text }] } };
  return {
    status: 200,
    headers: {},
    body: {
      candidates: [
        { ...content, finishReason: { complete: 'STOP', cut: 'MAX_TOKENS', refused: 'SAFETY' }[ending], index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: prompt,
        candidatesTokenCount: candidates,
        totalTokenCount: prompt + candidates,
      },
      modelVersion: model,
      responseId: 'test',
    },
  };
}

export function googleError(status: number, name: string, message: string): WireAnswer {
  return { status, headers: {}, body: { error: { code: status, message, status: name } } };
}

function findProblem({ contents, generationConfig }: GenerateBody): string | undefined {
  if (contents === undefined || contents.length === 0)
    return '* GenerateContentRequest.contents: contents is not specified';
  const wrong = contents.find(({ role }) => role !== 'user' && role !== 'model');
  if (wrong !== undefined) return 'Please use a valid role: user, model.';
  const { responseJsonSchema: schema, responseMimeType: type } = generationConfig ?? {};
  if (schema === undefined) return undefined;
  if (type !== 'application/json') return 'Response schema needs the mime type application/json.';
  return findSchemaProblem(schema, 'response_json_schema');
}

function textOf({ parts = [] }: Content): string {
  return parts.map((part) => part.text ?? '').join('');
}
