import { decodeFunctionData, domainSeparator, hashTypedData, keccak256, parseAbi, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { buildPermit, buildPermitHook, buildPlaceholderHook } from './permit.ts'
import { type PermitFacts, toPermit } from './toPermit.ts'

const token = { address: `0x${'a1'.repeat(20)}` as const, chainId: 5 }
const toSeparator = (name: string, version: string) =>
  domainSeparator({ domain: { name, version, chainId: token.chainId, verifyingContract: token.address } })
const facts: PermitFacts = {
  ...{ name: 'Token', version: undefined, nonce: 3n, separator: toSeparator('Token', '1'), typeHash: undefined },
}

describe('toPermit', () => {
  test('finds the domain that gives the separator of the token', () => {
    const domain = { name: 'Token', version: '1', chainId: 5, verifyingContract: token.address }
    expect(toPermit(facts, token)).toEqual({ domain, nonce: 3n })
    expect(toPermit({ ...facts, version: '7', separator: toSeparator('Token', '7') }, token)?.domain.version).toBe('7')
    expect(toPermit({ ...facts, separator: toSeparator('Token', '2') }, token)?.domain.version).toBe('2')
    expect(toPermit({ ...facts, separator: toSeparator('Other', '1') }, token)).toBeNull()
    expect(toPermit(facts, { ...token, chainId: 6 })).toBeNull()
  })

  test('takes no token that lacks a view, or whose permits are of another type', () => {
    for (const field of ['name', 'nonce', 'separator'] as const)
      expect(toPermit({ ...facts, [field]: undefined }, token)).toBeNull()
    const dai = 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)'
    expect(toPermit({ ...facts, typeHash: keccak256(stringToHex(dai)) }, token)).toBeNull()
    const standard = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'
    expect(toPermit({ ...facts, typeHash: keccak256(stringToHex(standard)) }, token)).not.toBeNull()
  })
})

const abi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

test('the hook calls the token with the terms and the signature', async () => {
  const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
  const permit = toPermit(facts, token)
  if (!permit) throw new Error('no permit')
  const terms = { owner: account.address, spender: `0x${'b2'.repeat(20)}`, value: 7n, deadline: 1_800_000_000 }
  const typedData = buildPermit(permit, terms)
  const { types, primaryType, message, domain } = typedData
  const hash = hashTypedData({
    domain: { ...domain, verifyingContract: token.address },
    types: { Permit: types.Permit },
    primaryType,
    message,
  })
  const signature = await account.sign({ hash })
  const hook = buildPermitHook(token.address, terms, signature)
  const { args } = decodeFunctionData({ abi, data: hook.callData as `0x${string}` })
  expect(hook.target).toBe(token.address)
  expect(args?.slice(0, 4).map((value) => String(value).toLowerCase())).toEqual(
    [terms.owner, terms.spender, 7n, 1_800_000_000n].map((value) => String(value).toLowerCase()),
  )
  expect(`${args?.[5]}${args?.[6]?.slice(2)}${Number(args?.[4]).toString(16)}`).toBe(signature)
})

test('the placeholder costs as much gas as a signed permit', () => {
  const terms = { owner: `0x${'0f'.repeat(20)}`, spender: `0x${'b2'.repeat(20)}`, value: 7n, deadline: 1_800_000_000 }
  const signed = buildPermitHook(token.address, terms, `0x${'22'.repeat(64)}1c`)
  const placeholder = buildPlaceholderHook(token.address)
  expect(placeholder.gasLimit).toBe(signed.gasLimit)
  expect(placeholder.callData.length).toBe(signed.callData.length)
})
