import { numberToHex } from 'viem'
import type { Connection } from '../../wallet/connection/openConnection.ts'
import { describeWalletFailure } from '../../wallet/describeWalletFailure.ts'
import { readCallsOutcome, sendCalls, type WalletCall } from '../../wallet/sendCalls.ts'

const callsEveryMs = 1_000
const failedCalls = 'The transaction of your wallet failed. Sign the order again.'

/**
 * Has the wallet confirm calls, as one transaction where it can. A wallet of several signers confirms long before its
 * transaction is included, so only the order shows the outcome; a failure of the transaction is reported later.
 * @returns why the wallet did not accept them; null: accepted
 */
export const requestCalls = async (
  connection: Connection,
  calls: readonly WalletCall[],
  hasBatches: boolean,
  onFailure: (why: string) => void,
): Promise<string | null> => {
  try {
    if (hasBatches) {
      const id = await sendCalls(connection, calls)
      void reportFailure(connection, id, onFailure)
      return null
    }
    for (const { to, data, value } of calls) {
      const params = [{ from: connection.address, to, data, ...(value && { value: numberToHex(value) }) }]
      await connection.choice.provider.request({ method: 'eth_sendTransaction', params })
    }
    return null
  } catch (thrown) {
    return describeWalletFailure(thrown)
  }
}

/** Number of requests for the outcome of a transaction. */
const maxLooks = 120

const reportFailure = async (connection: Connection, id: string, onFailure: (why: string) => void): Promise<void> => {
  for (let look = 0; look < maxLooks; look += 1) {
    const outcome = await readCallsOutcome(connection, id)
    if (outcome === 'failed') onFailure(failedCalls)
    if (outcome) return
    await new Promise((resolve) => setTimeout(resolve, callsEveryMs))
  }
}
