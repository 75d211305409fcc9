import type { ComponentType } from 'preact';
import { Inbox } from './inbox/inbox.tsx';
import { Search } from './memory/search.tsx';
import { Item } from './memory/item.tsx';
import { People } from './memory/people.tsx';
import { About } from './memory/about.tsx';
import { Files } from './memory/files/files.tsx';
import { Graph } from './memory/graph/graph.tsx';
import { Topics } from './memory/playbooks/topics.tsx';
import { Procedures } from './memory/procedures.tsx';
import { Fading } from './memory/fading.tsx';
import { TimelineView } from './time/timeline.tsx';
import { Transcript } from './time/transcript.tsx';
import { Changes } from './time/changes.tsx';
import { Compare } from './time/compare.tsx';
import { Health } from './system/health.tsx';
import { Work } from './system/work.tsx';
import { Control } from './system/control.tsx';
import { Settings } from './system/settings.tsx';

/** Every view but the first: one file that comes while the first is read, where thirty would stand in the way of its answers. */
export const OTHER_VIEWS: Readonly<Record<string, ComponentType>> = {
  inbox: Inbox,
  memory: Search,
  'memory/item': Item,
  'memory/people': People,
  'memory/about': About,
  'memory/files': Files,
  'memory/graph': Graph,
  'memory/playbooks': Topics,
  'memory/procedures': Procedures,
  'memory/fading': Fading,
  time: TimelineView,
  'time/talk': Transcript,
  'time/changes': Changes,
  'time/compare': Compare,
  system: Health,
  'system/work': Work,
  'system/control': Control,
  'system/settings': Settings,
};
