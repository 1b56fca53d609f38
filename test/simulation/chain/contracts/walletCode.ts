import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { defineContract, toRaw } from '../defineContract.ts'
import { type Code, type Frame, OutOfGas, require } from '../machine.ts'
import { recoverEcdsa } from '../orderSignature.ts'
import { tokenAbi } from './tokenCode.ts'

/** Functions of a contract wallet; its hooks take a label, which counts their runs. */
export const walletAbi = parseAbi([
  'function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)',
  'function execute(address target, bytes callData)',
  'function approveByHook(address token, address spender, uint256 amount, bytes32 label)',
  'function releaseByHook(address token, address to, uint256 amount, bytes32 label)',
  'function countByHook(bytes32 label)',
  'function setRevoked(bool isRevoked)',
])

/** Misbehaviour of a wallet in a block; all of it is false for an honest one. */
export type WalletManner = {
  /** rejects every signature */
  rejects?: boolean
  /** its code is gone: every call succeeds and returns nothing */
  isGone?: boolean
  /** the signature check uses all of its gas */
  burnsGas?: boolean
  /** hooks revert, or use all of their gas */
  hooksRevert?: boolean
  hooksBurnGas?: boolean
}

export type WalletTerms = {
  /** account whose key signs */
  owner: Address
  /** caller of its hooks */
  trampoline: Address
  /** behaviour at a block */
  manner?: ((block: number) => WalletManner) | undefined
  /** further condition of a signature */
  accepts?: ((frame: Frame) => boolean) | undefined
}

const magicValue = '0x1626ba7e'
const refused = '0xffffffff'

/** Key of the number of runs of a hook. */
export const toHookRunsKey = (wallet: Address, label: Hex): string => `hook runs ${wallet} ${label}`

/** Key of the word that revokes the signatures of all wallets of an owner. */
export const toRevokedKey = (owner: Address): string => `revoked ${owner}`

/** Label of a hook by a text. */
export const toHookLabel = (text: string): Hex => keccak256(toHex(text))

/** A wallet that signs by EIP-1271 with the key of its owner. Its hooks approve and move its own tokens. */
export const createWalletCode = ({ owner, trampoline, manner, accepts = () => true }: WalletTerms): Code => {
  const countRun = (frame: Frame, label: Hex): void => {
    require(frame.sender === trampoline, 'wallet: not the trampoline')
    const { hooksRevert, hooksBurnGas } = manner?.(frame.block.number) ?? {}
    if (hooksBurnGas) throw new OutOfGas('the hook uses all gas')
    require(!hooksRevert, 'wallet: hooks are off')
    frame.charge(25_000n)
    const key = toHookRunsKey(frame.self, label)
    frame.store.set(key, frame.store.get(key) + 1n)
  }
  return defineContract(
    walletAbi,
    {
      isValidSignature: (frame, digest: Hex, signature: Hex) => {
        const { rejects, burnsGas, isGone } = manner?.(frame.block.number) ?? {}
        if (isGone) return toRaw('0x')
        if (burnsGas) throw new OutOfGas('the wallet uses all gas')
        frame.charge(12_000n)
        if (rejects || signature.length !== 132 || !accepts(frame)) return refused
        return recoverEcdsa(digest, signature) === owner ? magicValue : refused
      },
      execute: (frame, target: Address, callData: Hex) => {
        require(frame.sender === owner, 'wallet: not the owner')
        frame.callOrRevert(lower(target), callData)
      },
      approveByHook: (frame, token: Address, spender: Address, amount: bigint, label: Hex) => {
        countRun(frame, label)
        const args = [spender, amount] as const
        frame.callOrRevert(lower(token), encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }))
      },
      releaseByHook: (frame, token: Address, to: Address, amount: bigint, label: Hex) => {
        countRun(frame, label)
        require(frame.store.get(toHookRunsKey(frame.self, label)) === 1n, 'wallet: released before')
        const args = [to, amount] as const
        frame.callOrRevert(lower(token), encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args }))
      },
      countByHook: (frame, label: Hex) => countRun(frame, label),
      // for all wallets of the owner
      setRevoked: (frame, isRevoked: boolean) => {
        require(frame.sender === owner, 'wallet: not the owner')
        frame.charge(25_000n)
        frame.store.set(toRevokedKey(owner), isRevoked ? 1n : 0n)
      },
    },
    () => undefined,
  )
}

const lower = (address: Address): Address => address.toLowerCase() as Address
