import { type Address, maxUint256, numberToHex } from 'viem'
import { networks } from '#shared/networks.ts'
import { toMappingSlot } from '../../stack/chain/toMappingSlot.ts'

/** storage layout of OpenZeppelin's ERC20PresetMinterPauser */
const balanceSlot = 2n
const allowanceSlot = 3n
const callsOfBatch = 500

/**
 * Gives accounts balance and approval of test tokens by writing the local chain's storage: thousands per second.
 * @param amount atoms of each token
 */
export const fundOwners = async (
  rpcUrl: string,
  tokens: readonly Address[],
  owners: readonly Address[],
  amount: bigint,
): Promise<void> => {
  const relayer = networks.sepolia.vaultRelayer
  const writes = owners.flatMap((owner) =>
    tokens.flatMap((token) => [
      [token, toMappingSlot(owner, balanceSlot), numberToHex(amount, { size: 32 })],
      [token, toMappingSlot(relayer, toMappingSlot(owner, allowanceSlot)), numberToHex(maxUint256, { size: 32 })],
    ]),
  )
  for (let i = 0; i < writes.length; i += callsOfBatch) {
    const batch = writes.slice(i, i + callsOfBatch)
    await sendBatch(
      rpcUrl,
      batch.map((params) => ({ method: 'anvil_setStorageAt', params })),
    )
  }
}

const sendBatch = async (rpcUrl: string, calls: { method: string; params: unknown }[]): Promise<void> => {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const answers = (await response.json()) as { error?: { message: string } }[]
  const failed = answers.find(({ error }) => error)
  if (failed) throw new Error(failed.error?.message)
}
