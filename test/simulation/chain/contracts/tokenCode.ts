import { type Address, keccak256, pad, parseAbi } from 'viem'
import { defineContract, emit, toRaw } from '../defineContract.ts'
import { type Code, type Frame, OutOfGas, require, toWeiKey } from '../machine.ts'

/** ERC-20 with the wrapped native token's functions. */
export const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function transferFrom(address from, address to, uint256 amount) returns (bool)',
  'function deposit() payable',
  'function withdraw(uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'event Approval(address indexed owner, address indexed spender, uint256 amount)',
  'event Deposit(address indexed dst, uint256 wad)',
  'event Withdrawal(address indexed src, uint256 wad)',
])

/** Misbehaviour of a token in a block; all of it is 0 or false for an honest one. */
export type Manner = {
  /** part of a transfer that is lost, 1/10000; only of those from or to an account where one is named, such as a pool */
  feeBps?: bigint
  feeFrom?: Address
  feeTo?: Address
  /** part of a transfer that the sender loses beside it, 1/10000 */
  surchargeBps?: bigint
  /** most atoms of one transfer */
  most?: bigint
  /** an account sends once in a block */
  sendsOnce?: boolean
  /** further gas of a transfer, such as a proxy's */
  gas?: bigint
  /** balances stand in words that no override reaches */
  isHidden?: boolean
  /** transfers revert */
  reverts?: boolean
  /** every call uses all of its gas */
  burnsGas?: boolean
  /** transfers return true and move nothing */
  lies?: boolean
  /** transfers return false */
  refuses?: boolean
  /** transfers return nothing, as old tokens */
  isSilent?: boolean
  /** an account that can receive nothing */
  blocks?: Address
  /** all balances at once, as a part of their first amounts, 1/10000: a rebase */
  scaleBps?: bigint
}

export type TokenTerms = {
  symbol: string
  decimals: number
  isWrappedNative?: boolean
  /** behaviour at a block */
  manner?: (block: number) => Manner
}

/** Keys of a token's words. */
export const toBalanceKey = (token: Address, owner: Address): string => `balance ${token} ${owner}`
export const toAllowanceKey = (token: Address, owner: Address, spender: Address): string =>
  `allowance ${token} ${owner} ${spender}`
/** A simulation may override slots of storage: balances are a Solidity mapping at slot 0. */
export const toSlotKey = (token: Address, slot: string): string => `slot ${token} ${slot}`
export const toOverriddenKey = (token: Address): string => `overridden ${token}`

const wholeBps = 10_000n
/** Approvals of this much are not used up. */
const unlimited = 2n ** 256n - 1n

/** Code of an ERC-20 token. */
export const createTokenCode = (terms: TokenTerms): Code => {
  const mannerOf = ({ block }: Frame): Manner => terms.manner?.(block.number) ?? {}

  const scaleOf = (frame: Frame): bigint => mannerOf(frame).scaleBps ?? wholeBps
  const readBalance = (frame: Frame, owner: Address): bigint => {
    const { store, self } = frame
    const own = (store.get(toBalanceKey(self, owner)) * scaleOf(frame)) / wholeBps
    if (mannerOf(frame).isHidden || store.get(toOverriddenKey(self)) === 0n) return own
    const slot = keccak256(`${pad(owner)}${'0'.repeat(64)}`)
    return own + store.get(toSlotKey(self, slot))
  }
  const writeBalance = (frame: Frame, owner: Address, amount: bigint): void => {
    const { store, self } = frame
    const overridden = readBalance(frame, owner) - (store.get(toBalanceKey(self, owner)) * scaleOf(frame)) / wholeBps
    store.set(toBalanceKey(self, owner), ((amount - overridden) * wholeBps) / scaleOf(frame))
  }
  const guard = (frame: Frame): void => {
    frame.charge(2_600n)
    if (mannerOf(frame).burnsGas) throw new OutOfGas('the token uses all gas')
  }

  const move = (frame: Frame, from: Address, to: Address, amount: bigint) => {
    const manner = mannerOf(frame)
    frame.charge(26_000n + (manner.gas ?? 0n))
    require(!manner.reverts, 'token: paused')
    require(to !== manner.blocks, 'token: blocked account')
    require(amount <= (manner.most ?? amount), 'token: too much at once')
    if (manner.sendsOnce) countSending(frame, from)
    if (manner.refuses) return false
    if (manner.lies) return true
    const held = readBalance(frame, from)
    const spent = amount + (amount * (manner.surchargeBps ?? 0n)) / wholeBps
    require(held >= spent, 'ERC20: transfer amount exceeds balance')
    writeBalance(frame, from, held - spent)
    const received = amount - (amount * computeFeeBps(manner, from, to)) / wholeBps
    writeBalance(frame, to, readBalance(frame, to) + received)
    emit(frame, tokenAbi, 'Transfer', { from, to, amount: received })
    return manner.isSilent ? toRaw('0x') : true
  }

  return defineContract(
    tokenAbi,
    {
      name: () => terms.symbol,
      symbol: () => terms.symbol,
      decimals: () => terms.decimals,
      totalSupply: () => 10n ** 30n,
      balanceOf: (frame, owner: Address) => {
        guard(frame)
        return readBalance(frame, lower(owner))
      },
      allowance: (frame, owner: Address, spender: Address) => {
        guard(frame)
        return frame.store.get(toAllowanceKey(frame.self, lower(owner), lower(spender)))
      },
      approve: (frame, spender: Address, amount: bigint) => {
        guard(frame)
        frame.charge(22_000n)
        frame.store.set(toAllowanceKey(frame.self, frame.sender, lower(spender)), amount)
        emit(frame, tokenAbi, 'Approval', { owner: frame.sender, spender, amount })
        return true
      },
      transfer: (frame, to: Address, amount: bigint) => {
        guard(frame)
        return move(frame, frame.sender, lower(to), amount)
      },
      transferFrom: (frame, from: Address, to: Address, amount: bigint) => {
        guard(frame)
        const key = toAllowanceKey(frame.self, lower(from), frame.sender)
        const allowed = frame.store.get(key)
        require(allowed >= amount, 'ERC20: insufficient allowance')
        if (allowed !== unlimited) frame.store.set(key, allowed - amount)
        return move(frame, lower(from), lower(to), amount)
      },
      ...(terms.isWrappedNative ? { deposit, withdraw } : {}),
    },
    terms.isWrappedNative ? deposit : undefined,
  )
}

const computeFeeBps = ({ feeBps = 0n, feeFrom, feeTo }: Manner, from: Address, to: Address): bigint =>
  (feeFrom ?? from) === from && (feeTo ?? to) === to ? feeBps : 0n

const countSending = ({ store, self, block }: Frame, from: Address): void => {
  const key = `sending ${self} ${from}`
  require(store.get(key) !== BigInt(block.number), 'token: once in a block')
  store.set(key, BigInt(block.number))
}

const deposit = (frame: Frame): void => {
  const { store, self, sender, value } = frame
  frame.charge(24_000n)
  const key = toBalanceKey(self, sender)
  store.set(key, store.get(key) + value)
  emit(frame, tokenAbi, 'Deposit', { dst: sender, wad: value })
}

const withdraw = (frame: Frame, amount: bigint): void => {
  const { store, self, sender } = frame
  frame.charge(10_000n)
  const key = toBalanceKey(self, sender)
  require(store.get(key) >= amount, 'WETH: amount exceeds balance')
  store.set(key, store.get(key) - amount)
  store.set(toWeiKey(self), store.get(toWeiKey(self)) - amount)
  store.set(toWeiKey(sender), store.get(toWeiKey(sender)) + amount)
  emit(frame, tokenAbi, 'Withdrawal', { src: sender, wad: amount })
}

const lower = (address: Address): Address => address.toLowerCase() as Address
