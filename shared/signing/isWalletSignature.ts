import {
  type Address,
  encodeDeployData,
  type Hex,
  universalSignatureValidatorAbi,
  universalSignatureValidatorByteCode,
} from 'viem'
import { isContractFault } from '../chain/calls/isContractFault.ts'
import { encodeSignatureCheck, isAccepted } from '../chain/calls/signatureCall.ts'
import type { ChainClient } from '../chain/connectChain.ts'
import { recoverSigner } from './recoverSigner.ts'

export type SignatureClaim = { wallet: Address; digest: Hex; signature: Hex }

const ecdsaLength = 2 + 2 * 65
/** Gas units that a wallet may use to check a signature, its deployment included. */
const maxGas = 10_000_000n
/** Suffix of the signature of an undeployed wallet (ERC-6492). */
const undeployedMark = '6492649264926492649264926492649264926492649264926492649264926492'

/**
 * Whether a wallet signed a digest: accounts with a key by ECDSA, without a request to the node; contracts by ERC-1271, and
 * undeployed contracts by ERC-6492, in one `eth_call`.
 * @throws Error when the node fails
 */
export const isWalletSignature = async (chain: ChainClient, claim: SignatureClaim): Promise<boolean> =>
  isKeySignature(claim) || isContractSignature(chain, claim)

/** Whether the key of an account signed a digest. */
export const isKeySignature = ({ wallet, digest, signature }: SignatureClaim): boolean =>
  signature.length === ecdsaLength && recoverSigner('eip712', digest, signature).signer === wallet

/**
 * Whether a contract, which may be undeployed, accepts a signature.
 * @throws Error when the node fails
 */
export const isContractSignature = async (chain: ChainClient, claim: SignatureClaim): Promise<boolean> => {
  const { signature } = claim
  try {
    return await (signature.endsWith(undeployedMark) ? checkUndeployed(chain, claim) : checkContract(chain, claim))
  } catch (error) {
    if (isContractFault(error)) return false
    throw error
  }
}

const checkContract = async (chain: ChainClient, { wallet, digest, signature }: SignatureClaim): Promise<boolean> => {
  const { data } = await chain.call({ to: wallet, data: encodeSignatureCheck(digest, signature), gas: maxGas })
  return isAccepted(wallet, data)
}

/** A contract that exists only within this call deploys the wallet, verifies the signature and returns 1 or 0. */
const checkUndeployed = async (chain: ChainClient, { wallet, digest, signature }: SignatureClaim): Promise<boolean> => {
  const data = encodeDeployData({
    abi: universalSignatureValidatorAbi,
    bytecode: universalSignatureValidatorByteCode,
    args: [wallet, digest, signature],
  })
  const result = await chain.call({ data, gas: maxGas })
  return result.data !== undefined && BigInt(result.data) === 1n
}
