import { type AccessList, type Address, BaseError, type Hex, RpcRequestError } from 'viem'
import { z } from 'zod'
import { addressSchema, hashSchema } from '../../validation/chainValues.ts'
import type { ChainClient } from '../connectChain.ts'

const maxEntries = 64
const gas = '0xf4240'
/** wei: nodes such as geth fill in gas prices and check that the sender can pay them */
const richBalance = '0x100000000000000000000000000000000'

const responseSchema = z.object({
  accessList: z
    .array(z.object({ address: addressSchema, storageKeys: z.array(hashSchema).max(maxEntries) }))
    .max(maxEntries),
})

/**
 * Finds the contracts and storage slots that a call without value reads or writes (`eth_createAccessList`). The sender is
 * given a balance for gas; a node that takes no state overrides is called again without.
 * @returns undefined when the node does not offer the method or fails the call
 * @throws viem errors when the node does not respond
 * @see https://github.com/ethereum/execution-apis/issues/853
 */
export const findAccessList = async (
  client: Pick<ChainClient, 'request'>,
  { from, to, data }: { from: Address; to: Address; data: Hex },
): Promise<AccessList | undefined> => {
  const call = [{ from, to, data, gas }, 'latest']
  for (const params of [[...call, { [from]: { balance: richBalance } }], call]) {
    const found = await client.request({ method: 'eth_createAccessList', params } as never).catch(ignoreResponse)
    const parsed = responseSchema.safeParse(found)
    if (parsed.success) return parsed.data.accessList
  }
  return undefined
}

/** @throws the error when the node did not respond */
const ignoreResponse = (error: unknown): undefined => {
  if (error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError)) return undefined
  throw error
}
