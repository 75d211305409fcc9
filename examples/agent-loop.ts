/**
 * An agent that remembers, in one file. Every argument is a turn of one conversation:
 *
 *     mneme init
 *     MODEL_URL=https://api.openai.com/v1 MODEL_KEY=… MODEL=gpt-5-mini \
 *       node examples/agent-loop.ts "I live in Porto." "Which airport is closest?"
 *
 * Anything that speaks OpenAI's chat completions will do as a model: `MODEL_URL=http://localhost:11434/v1` is Ollama.
 */
// In a project of your own: import … from 'mneme'.
import { MnemeError, openMneme, type Mneme } from '../src/index.ts';

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

type Session = Awaited<ReturnType<Mneme['session']['start']>>;

type Model = (messages: readonly ChatMessage[]) => Promise<string>;

const INSTRUCTIONS = `You are a helpful assistant with a long-term memory.
When the user tells you something that will still matter in a week, end your answer with a line of its own:
Remember: <one sentence that can be understood without the conversation>`;

/** A conversation: each turn reads from the memory before the model is asked, and writes to it afterwards. */
class Conversation {
  readonly #memory: Mneme;
  readonly #model: Model;
  readonly #session: Session;

  private constructor(memory: Mneme, model: Model, session: Session) {
    this.#memory = memory;
    this.#model = model;
    this.#session = session;
  }

  static async start(memory: Mneme, model: Model): Promise<Conversation> {
    return new Conversation(memory, model, await memory.session.start({ channel: 'cli' }));
  }

  async turn(message: string): Promise<string> {
    // What is known about this message, and what was said in this conversation so far; within a budget of tokens.
    const briefing = await this.#memory.context(message, { session: this.#session.id });
    const reply = await this.#model([
      { role: 'system', content: `${INSTRUCTIONS}\n\n${briefing.prompt}`.trim() },
      { role: 'user', content: message },
    ]);
    const { answer, learned } = separate(reply);
    // Durable, and found by the next question, as soon as the promise resolves.
    await this.#session.message('user', message);
    await this.#session.message('assistant', answer);
    for (const fact of learned) {
      const { path, startLine } = await this.#memory.remember(fact, {
        source: 'conversation',
        session: this.#session.id,
      });
      await this.#session.tool('remember', { fact }, { path, startLine });
    }
    return answer;
  }

  /** Writes the transcript, which never changes again. */
  async end(): Promise<void> {
    await this.#session.end();
  }
}

/** The answer for the user, and what the model wants to keep. */
function separate(reply: string): { answer: string; learned: string[] } {
  const marker = /^Remember:\s*(?<fact>.+)$/gmu;
  const learned = [...reply.matchAll(marker)].map((match) => match.groups?.['fact']?.trim() ?? '');
  return { answer: reply.replaceAll(marker, '').trim(), learned };
}

/** OpenAI's chat completions, as nearly every provider and local server offers them. */
function openAiModel(baseUrl: string, key: string, model: string): Model {
  return async (messages) => {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages }),
    }).catch((cause: unknown) => {
      throw new Error(`No model answers at ${baseUrl}; MODEL_URL says where one does.`, { cause });
    });
    if (!response.ok) throw new Error(`The model answered with ${response.status}: ${await response.text()}`);
    const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
    return choices[0].message.content;
  };
}

async function converse(messages: readonly string[]): Promise<void> {
  const { MODEL_URL = 'http://localhost:11434/v1', MODEL_KEY = 'none', MODEL = 'llama3.2' } = process.env;
  const memory = await openMneme();
  try {
    const conversation = await Conversation.start(memory, openAiModel(MODEL_URL, MODEL_KEY, MODEL));
    try {
      for (const message of messages) {
        process.stdout.write(`you    ${message}\nagent  ${await conversation.turn(message)}\n`);
      }
    } finally {
      await conversation.end();
    }
  } finally {
    await memory.close();
  }
}

try {
  await converse(process.argv.slice(2));
} catch (error) {
  // Errors of the memory say what to do about them.
  const hint = error instanceof MnemeError && error.hint !== undefined ? `\n${error.hint}` : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${hint}\n`);
  process.exitCode = 1;
}
