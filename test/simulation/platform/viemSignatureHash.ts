import {
  type AbiEvent,
  type AbiFunction,
  type Hex,
  keccak256,
  toBytes,
  toEventSignature,
  toFunctionSignature,
} from 'viem'

type Definition = string | AbiFunction | AbiEvent

const hashes = new WeakMap<object, Hex>()

const hash = (definition: Definition): Hex => {
  const isEvent = typeof definition !== 'string' && definition.type === 'event'
  return keccak256(toBytes(isEvent ? toEventSignature(definition) : toFunctionSignature(definition)))
}

/** Hash of the signature of a function or event, in place of viem's own: each is computed once, not for each call and log. */
export const toSignatureHash = (definition: Definition): Hex => {
  if (typeof definition === 'string') return hash(definition)
  const known = hashes.get(definition) ?? hash(definition)
  hashes.set(definition, known)
  return known
}
