import fs from 'node:fs';
import path from 'node:path';
import { makeTemporaryFolder } from '../../../../test/support/home.ts';
import { SeededRandom } from '../../../../test/support/seeded-random.ts';
import { HOME_LAYOUT } from '../../../workspace/formats/layout.ts';
import { parseEntity, type Entity } from '../../../workspace/formats/entity.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { Core } from '../core.ts';
import { Entities } from '../entities/entities.ts';
import { Episodes } from '../episodes.ts';
import type { Plan, StoreParts } from '../plan.ts';
import { Procedures } from '../../procedures/procedures.ts';
import { EntityRegistry } from '../registry/registry.ts';
import { defaultConfig } from '../../../model/config/schema.ts';

/** The stores over a folder, with plans applied straight to the files: what the write path does, without its guarantees. */
export class StoreHome {
  readonly root: string;
  readonly state: string;
  readonly parts: StoreParts;
  readonly registry: EntityRegistry;
  readonly entities: Entities;
  readonly episodes: Episodes;
  readonly core: Core;
  readonly procedures: Procedures;
  nowMs = Date.parse('2026-11-15T12:00:00Z');

  constructor(folder = makeTemporaryFolder('mneme-stores-'), seed = 1) {
    this.root = path.join(folder, 'workspace');
    this.state = path.join(folder, 'state');
    const clock = { now: () => this.nowMs };
    this.parts = { root: this.root, clock, random: new SeededRandom(seed), timeZone: 'Europe/Vienna' };
    this.registry = new EntityRegistry({ root: this.root, state: this.state, layout: HOME_LAYOUT, clock });
    this.entities = new Entities(this.parts, this.registry);
    this.episodes = new Episodes(this.parts);
    this.core = new Core(this.parts, this.episodes, defaultConfig().core);
    this.procedures = new Procedures(this.parts);
  }

  /** All changes or, when one of them throws, none. */
  apply<T>(plan: Plan<T>): T {
    const drafts = new Map<string, string | undefined>();
    for (const change of plan.changes) {
      if (!('edit' in change)) throw new Error('stores plan edits only');
      const current = drafts.has(change.path) ? drafts.get(change.path) : this.find(change.path);
      drafts.set(change.path, change.edit(current));
    }
    for (const [file, text] of drafts) if (text !== undefined) this.write(file, text);
    return plan.outcome();
  }

  write(file: string, text: string): void {
    const full = path.join(this.root, file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text);
    this.registry.takeOver({ acknowledged: [], span: { from: '', to: '' }, selfCommitted: [file] });
  }

  find(file: string): string | undefined {
    const full = path.join(this.root, file);
    return fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : undefined;
  }

  read(file: string): string {
    return fs.readFileSync(path.join(this.root, file), 'utf8');
  }

  entity(file: string): Entity {
    return parseEntity(parseDocument(this.read(file)), file);
  }

  /** Every file below a folder, by workspace path. */
  files(folder: string): string[] {
    const full = path.join(this.root, folder);
    return fs.existsSync(full) ? fs.readdirSync(full).sort() : [];
  }
}
