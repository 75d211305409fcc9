/** A ChatGPT export in its real format, with invented content, written piece by piece: as long as anybody's. */
import fs from 'node:fs';
import path from 'node:path';
import { paragraph, word } from './prose.ts';
import { seededRandom, type SeededRandom } from './seeded.ts';

export interface GeneratedExport {
  readonly file: string;
  readonly conversations: number;
  readonly bytes: number;
}

const FIRST_SECOND = Date.UTC(2023, 0, 1) / 1000;

export function generateChatGptExport(folder: string, conversations: number, prompts: number): GeneratedExport {
  const random = seededRandom(2);
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'conversations.json');
  const descriptor = fs.openSync(file, 'w');
  let bytes = 0;
  const write = (text: string): void => void (bytes += fs.writeSync(descriptor, text));
  write('[');
  for (let index = 0; index < conversations; index += 1) {
    write(`${index === 0 ? '' : ', '}${JSON.stringify(conversation(random, index, prompts))}`);
  }
  write(']');
  fs.closeSync(descriptor);
  return { file, conversations, bytes };
}

function conversation(random: SeededRandom, index: number, prompts: number): Record<string, unknown> {
  const root = random.uuid();
  const mapping: Record<string, unknown> = { [root]: { id: root, message: null, parent: null, children: [] } };
  let time = FIRST_SECOND + index * 9000;
  let parent = root;
  const add = (role: string, text: string): void => {
    const id = random.uuid();
    time += 20;
    const message = {
      id,
      author: { role, name: null, metadata: {} },
      create_time: time + 0.25,
      content: { content_type: 'text', parts: [text] },
      status: 'finished_successfully',
      weight: 1,
      metadata: role === 'assistant' ? { model_slug: 'gpt-4o', finish_details: { type: 'stop' } } : {},
      recipient: 'all',
    };
    mapping[id] = { id, message, parent, children: [] };
    parent = id;
  };
  for (let prompt = 0; prompt < prompts; prompt += 1) {
    add('user', paragraph(random, 2));
    add('assistant', `${paragraph(random, 5)}\n\n${paragraph(random, 4)}`);
  }
  return {
    title: `${word(random)} ${word(random)}`,
    create_time: FIRST_SECOND + index * 9000,
    update_time: time,
    mapping,
    current_node: parent,
    conversation_id: random.uuid(),
    default_model_slug: 'gpt-4o',
  };
}
