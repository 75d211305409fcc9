import fs from 'node:fs';
import path from 'node:path';
import { openMneme, type Mneme } from '../../src/index.ts';
import { sleep } from '../../src/platform/clock.ts';
import { TestCli } from './cli.ts';

/** A new home whose procedures are written by hand, as a person would. */
export class ProcedureHome {
  readonly cli = new TestCli();

  static async make(): Promise<ProcedureHome> {
    const home = new ProcedureHome();
    await home.cli.init();
    return home;
  }

  write(name: string, text: string): void {
    const file = path.join(this.cli.home, 'workspace/memory/procedures', `${name}.md`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  read(file: string): string {
    return fs.readFileSync(path.join(this.cli.home, 'workspace', file), 'utf8');
  }

  async open<T>(body: (mneme: Mneme) => Promise<T>, actor = 'bot:main'): Promise<T> {
    const mneme = await openMneme({ home: this.cli.home, actor });
    try {
      return await body(mneme);
    } finally {
      await mneme.close();
    }
  }
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(20);
}
