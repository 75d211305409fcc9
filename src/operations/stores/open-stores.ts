import type { Stores } from '../../extract/place.ts';
import type { Procedures } from '../../memory/procedures/procedures.ts';
import { Core } from '../../memory/stores/core.ts';
import { Entities } from '../../memory/stores/entities/entities.ts';
import { Episodes } from '../../memory/stores/episodes.ts';
import { type OperationContext, storePartsOf } from '../context.ts';

/** Where statements are kept, by kind. */
export function openStores(context: OperationContext, procedures: Procedures): Stores {
  const parts = storePartsOf(context);
  const episodes = new Episodes(parts);
  const entities = new Entities(parts, context.entities);
  return { parts, entities, core: new Core(parts, episodes, context.config.core), episodes, procedures };
}
