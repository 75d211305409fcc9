import { ConversationHome } from '../retrieval/system.ts';
import { openTier } from '../retrieval/tiers.ts';
import type { Peer } from './peer.ts';

export const mneme: Peer = {
  name: 'Mneme',
  settings: 'defaults: imported as a transcript, every passage embedded; `recall` with the budget in tokens',
  async build(conversation) {
    const home = await ConversationHome.build(conversation, openTier('builtin'));
    return {
      folder: home.folder,
      ask: async (question) => (await home.ask(question)).byBudget,
      close: () => home.close(),
    };
  },
};
