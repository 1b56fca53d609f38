import type { PlacementFacts } from '#schema/queries/orders/placementFacts.ts'
import type { Hooks } from '#shared/appData/parseAppData.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import { ApiError } from '#shared/http/errors.ts'

/**
 * A settlement has to have room for the order. The gas of a quote counts the hooks and the signature check it was asked for,
 * so they are not added to it again; hooks that no quote knew still have to fit.
 * @param maxGas gas units
 * @throws ApiError `TooMuchGas`
 */
export const checkGas = (
  hooks: Hooks,
  quote: Pick<NonNullable<PlacementFacts['quote']>, 'gasAmount'> | null,
  maxGas: bigint,
): void => {
  const hookGas = computeHookGas(hooks)
  const quotedGas = quote?.gasAmount ?? 0n
  const gas = hookGas > quotedGas ? hookGas : quotedGas
  if (gas <= maxGas) return
  throw new ApiError('TooMuchGas', {
    data: { gas: gas.toString(), hookGas: hookGas.toString(), quotedGas: quotedGas.toString(), max: maxGas.toString() },
  })
}
