import type { Address } from 'viem'
import { createWalletCode, toRevokedKey, type WalletManner } from './chain/contracts/walletCode.ts'
import type { Code, Frame } from './chain/machine.ts'
import { inTurns, network, rhythms, toAddress } from './market.ts'
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
  'gone wallet': wallet('gone wallet', (block) => ({ isGone: block >= 12 })),
} satisfies Record<string, ModelWallet>

/** Wallets of the theorist. */
export const theoremWallets = {
  steady: wallet('theorem wallet'),
  rejecting: { ...wallet('rejecting theorem wallet'), manner: () => ({ rejects: true }) },
  burning: { ...wallet('burning theorem wallet'), manner: () => ({ burnsGas: true }) },
  reverting: { ...wallet('reverting theorem wallet'), manner: () => ({ hooksRevert: true }) },
} satisfies Record<string, ModelWallet>

/** Wallets of the theorist that sign and run hooks in some blocks only, one for each rhythm. */
export const unsteadyWallets: readonly ModelWallet[] = rhythms.map((works, i) =>
  wallet(`unsteady theorem wallet ${i}`, (block) => (works(block) ? {} : { rejects: true, hooksRevert: true })),
)

/** A wallet that signs or not by what it sees of its transaction. */
export type TrapWallet = ModelWallet & { accepts: (frame: Frame) => boolean }

const friend = createAccount('solver stingy').address
const honest = ['amber', 'blue'].map((name) => createAccount(`solver ${name}`).address)

/** Wallets of one owner, whose single transaction revokes all signatures or restores them. */
export const revokingWallets: readonly TrapWallet[] = Array.from({ length: 8 }, (_, i) => ({
  ...wallet('revoking trader'),
  address: toAddress(`revoking wallet ${i}`),
  accepts: ({ store }) => store.get(toRevokedKey(createAccount('revoking trader').address)) === 0n,
}))

const conditions: readonly TrapWallet['accepts'][] = [
  ({ block, origin }) => block.coinbase === undefined || origin === friend,
  ({ gasPrice, origin }) => gasPrice === 0n || origin === friend,
  ({ origin }) => !honest.includes(origin),
]

/** Wallets that refuse in transactions, in paid calls, or of honest solvers: two of each. */
export const choosyWallets: readonly TrapWallet[] = [...conditions, ...conditions].map((accepts, i) => ({
  ...{ ...wallet('choosy trader'), address: toAddress(`choosy wallet ${i}`), accepts },
}))

/** Plain accounts with the code of `contracts/ConditionalAccount.sol`, which sign while the registry has their order. */
export const strategyOwners: readonly SimulatedAccount[] = ['strategist', 'poor strategist'].map(createAccount)
const isStrategyOwner = (account: Address): boolean => strategyOwners.some(({ address }) => address === account)

/** Whether a wallet signs at a block; accounts without code do not sign by contract. */
export const isSigning = (address: Address, block: number): boolean => {
  if (isStrategyOwner(address)) return true
  const found = Object.values(modelWallets).find((other) => other.address === address)
  const { rejects, burnsGas, isGone } = found?.manner?.(block) ?? {}
  return found !== undefined && !rejects && !burnsGas && !isGone
}

/** Whether an account is a wallet that signs at any time. */
export const isSteadyWallet = (address: Address): boolean =>
  isStrategyOwner(address) ||
  Object.values(modelWallets).some((other) => other.address === address && other.manner === undefined)

/** Code of all wallets by address. */
export const createWalletCodes = (): Map<Address, Code> =>
  new Map(
    [
      ...[...Object.values(modelWallets), ...Object.values(theoremWallets), ...unsteadyWallets],
      ...[...revokingWallets, ...choosyWallets],
    ].map((each: ModelWallet & Partial<TrapWallet>) => [
      each.address,
      createWalletCode({ ...each, owner: each.owner.address, trampoline: network.hooksTrampoline }),
    ]),
  )
