import type { Network } from '../NetworksProvider.tsx'
import { paths } from '../paths.ts'
import type { SearchTarget } from './searchKinds.ts'

type Found = Exclude<SearchTarget, { kind: 'nothing' }>

/** An account has a page on every network; all other pages find their network. */
export const toTargetPath = (
  { kind, id, network }: Found,
  networks: readonly Network[],
  current: Network['name'],
): string => {
  const named = networks.find(({ name }) => name === network)?.name
  return kind === 'account' ? paths.account(named ?? current, id) : paths[kind](named, id)
}
