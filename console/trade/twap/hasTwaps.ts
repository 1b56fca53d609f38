import { publicContracts } from '../../../shared/strategies/publicContracts.ts'

/** TWAPs are created for the public handler, which is bound to the public registry. */
export const hasTwaps = ({ composableCow }: { composableCow: string }): boolean =>
  composableCow === publicContracts.composableCow
