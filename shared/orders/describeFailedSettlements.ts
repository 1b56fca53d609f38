/**
 * "Settlement reverted twice; next attempt at block 123.", from the data of a `settlement_failed` event.
 * @returns undefined when the numbers are missing
 */
export const describeFailedSettlements = (data: Record<string, unknown> | null): string | undefined => {
  const { failures, nextBlock } = data ?? {}
  if (typeof failures !== 'number' || typeof nextBlock !== 'number') return undefined
  const times = failures === 1 ? 'once' : failures === 2 ? 'twice' : `${failures} times`
  return `Settlement reverted ${times}; next attempt at block ${nextBlock}.`
}
