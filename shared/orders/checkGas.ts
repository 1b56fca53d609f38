import { maxOf } from '../amounts/minMax.ts'
import type { Hooks } from '../appData/parseAppData.ts'
import { computeHookGas } from '../hooks/computeHookGas.ts'
import { ApiError } from '../http/errors.ts'

/**
 * Checks that the order's gas fits into a settlement. A quote's gas includes its hooks and signature check, so they are
 * not added again; hooks without a quote must fit as well.
 * @param maxGas gas units
 * @throws ApiError `TooMuchGas`
 */
export const checkGas = (hooks: Hooks, quote: { gasAmount: bigint } | null, maxGas: bigint): void => {
  const hookGas = computeHookGas(hooks)
  const quotedGas = quote?.gasAmount ?? 0n
  const gas = maxOf(hookGas, quotedGas)
  if (gas <= maxGas) return
  throw new ApiError('TooMuchGas', {
    data: { gas: gas.toString(), hookGas: hookGas.toString(), quotedGas: quotedGas.toString(), max: maxGas.toString() },
  })
}
