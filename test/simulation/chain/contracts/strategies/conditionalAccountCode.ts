import { type Address, type Hex, parseAbi } from 'viem'
import { defineContract } from '../../defineContract.ts'
import { type Code, Revert } from '../../machine.ts'
import { recoverEcdsa } from '../../orderSignature.ts'
import { encodeVerification, hashEncoded, readSignature } from './composableCowCode.ts'

const accountAbi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])
const [accepted, refused] = ['0x1626ba7e', '0xffffffff'] as const

/** `contracts/ConditionalAccount.sol`: code of a plain account whose conditional orders a registry has. */
export const createConditionalAccountCode = (composableCow: Address, separator: Hex): Code =>
  defineContract(
    accountAbi,
    {
      isValidSignature: (frame, digest: Hex, signature: Hex) => {
        frame.charge(6_000n)
        if (signature.length === 132) return recoverEcdsa(digest, signature) === frame.self ? accepted : refused
        const signed = readSignature(signature)
        if (!signed) throw new Revert('0x')
        const { order, payload } = signed
        if (hashEncoded(order, separator) !== digest) return refused
        const call = encodeVerification(frame.self, frame.sender, digest, separator, order, payload)
        return frame.callOrRevert(composableCow, call).slice(0, 10)
      },
    },
    () => undefined,
  )
