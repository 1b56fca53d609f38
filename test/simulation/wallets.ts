import type { Address } from 'viem'
import { createWalletCode, type WalletManner } from './chain/contracts/walletCode.ts'
import type { Code } from './chain/machine.ts'
import { inTurns, network, toAddress } from './market.ts'
import { createAccount, type SimulatedAccount } from './world.ts'

/** A contract wallet of an actor with the same name. */
export type ModelWallet = {
  address: Address
  owner: SimulatedAccount
  /** undefined: it signs at any time */
  manner: ((block: number) => WalletManner) | undefined
}

const wallet = (name: string, manner?: ModelWallet['manner']): ModelWallet => ({
  address: toAddress(`wallet ${name}`),
  owner: createAccount(name),
  manner,
})

/** Manners of hostile hooks, in turns. */
const hookManners: readonly WalletManner[] = [{}, { hooksRevert: true }, {}, { hooksBurnGas: true }]

export const modelWallets = {
  'wallet trader': wallet('wallet trader'),
  'hooked trader': wallet('hooked trader'),
  'hostile hooks': wallet('hostile hooks', (block) => hookManners[Math.floor(block / 5) % hookManners.length] ?? {}),
  'fickle wallet': wallet('fickle wallet', inTurns(6, { rejects: true })),
  'burning wallet': wallet('burning wallet', inTurns(4, { burnsGas: true })),
} satisfies Record<string, ModelWallet>

/** Whether a wallet signs at a block; accounts without code do not sign by contract. */
export const isSigning = (address: Address, block: number): boolean => {
  const found = Object.values(modelWallets).find((other) => other.address === address)
  const { rejects, burnsGas } = found?.manner?.(block) ?? {}
  return found !== undefined && !rejects && !burnsGas
}

/** Whether an account is a wallet that signs at any time. */
export const isSteadyWallet = (address: Address): boolean =>
  Object.values(modelWallets).some((other) => other.address === address && other.manner === undefined)

/** Code of all wallets by address. */
export const createWalletCodes = (): Map<Address, Code> =>
  new Map(
    Object.values(modelWallets).map(({ address, owner, manner }) => [
      address,
      createWalletCode({ owner: owner.address, trampoline: network.hooksTrampoline, manner }),
    ]),
  )
