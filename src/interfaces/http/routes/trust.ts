import { agentsCommit, agentsDefer, agentsOverride, agentsReject } from '../../../operations/agents/decide.ts';
import { agentsInstructions } from '../../../operations/agents/instructions.ts';
import { agentsList } from '../../../operations/agents/list.ts';
import { agentsPropose } from '../../../operations/agents/propose.ts';
import { agentsReview } from '../../../operations/agents/review.ts';
import { agentsAdmit, agentsTrust } from '../../../operations/agents/standing.ts';
import { chainAdd } from '../../../operations/chain/add.ts';
import { chainProve } from '../../../operations/chain/prove.ts';
import { chainShow } from '../../../operations/chain/show.ts';
import { chainStats } from '../../../operations/chain/stats.ts';
import { chainVerify } from '../../../operations/chain/verify.ts';
import { limitedTo, route } from '../route.ts';

/** Without the options that name a file of this machine, or ask others over the network. */
const verifyHere = limitedTo(
  chainVerify,
  chainVerify.input.omit({ head: true, anchors: true, onProgress: true }),
  (given) => given,
);

/** Other agents, what can be proved, and knowledge made anew. Keys and anchors are set up where the home lies. */
export const TRUST_ROUTES = {
  'agents list': route(agentsList),
  'agents instructions': route(agentsInstructions),
  'agents review': route(agentsReview),
  'agents propose': route(agentsPropose),
  'agents commit': route(agentsCommit),
  'agents override': route(agentsOverride),
  'agents reject': route(agentsReject),
  'agents defer': route(agentsDefer),
  'agents trust': route(agentsTrust),
  'agents scope': route(agentsAdmit),
  'chain stats': route(chainStats),
  'chain show': route(chainShow),
  'chain verify': route(verifyHere, { isLong: true }),
  'chain prove': route(chainProve),
  'chain add': route(chainAdd),
};
