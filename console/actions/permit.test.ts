import { decodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { buildPermitHook, buildPlaceholderHook } from './permit.ts'
import { findPermit, needsReset, type Permit } from './readFunding.ts'

const [token, owner, vaultRelayer] = [`0x${'a1'.repeat(20)}`, `0x${'0f'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const network = { chainId: 5, vaultRelayer }
const amounts = { balance: '9', allowance: '0', needed: '7' }
const permit: Permit = {
  domain: { name: 'Token', version: '1', chainId: 5, verifyingContract: token.toUpperCase().replace('0X', '0x') },
  types: { EIP712Domain: [], Permit: [] },
  primaryType: 'Permit',
  message: { owner, spender: vaultRelayer, value: '7', nonce: '3', deadline: '1800000000' },
}
const toFunding = (typedData: Permit) => {
  const hook = { target: token, callData: '0xd505accf', gasLimit: '80000' }
  return { token, spender: vaultRelayer, ...amounts, steps: [{ type: 'permit' as const, typedData, hook }], calls: [] }
}

test('finds the permit of a quote that is of the owner, the token, the network and its vault relayer', () => {
  const find = (typedData: Permit) => findPermit(toFunding(typedData), { token, owner, network })
  expect(find(permit)).toEqual(permit)
  const other = `0x${'cc'.repeat(20)}`
  for (const changed of [{ owner: other }, { spender: other }])
    expect(find({ ...permit, message: { ...permit.message, ...changed } })).toBeNull()
  for (const changed of [{ verifyingContract: other }, { chainId: 6 }])
    expect(find({ ...permit, domain: { ...permit.domain, ...changed } })).toBeNull()
  expect(findPermit({ ...toFunding(permit), steps: [{ type: 'sign' }] }, { token, owner, network })).toBeNull()
  expect(findPermit(null, { token, owner, network })).toBeNull()
})

test('two approvals of the token say that it needs a reset', () => {
  const call = (to: string, data: string) => ({ to, data, value: '0' })
  const toCalls = (...calls: ReturnType<typeof call>[]) => ({ ...toFunding(permit), calls })
  const approve = call(token, '0x095ea7b300')
  expect(needsReset(toCalls(approve, approve), token)).toBe(true)
  expect(needsReset(toCalls(call(token, '0xd0e30db0'), approve), token)).toBe(false)
  expect(needsReset(null, token)).toBe(false)
})

const abi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

test('the hook calls the token with the terms and the signature', () => {
  const terms = { owner, spender: vaultRelayer, value: 7n, deadline: 1_800_000_000 }
  const signature = `0x${'2a'.repeat(32)}${'3b'.repeat(32)}1c`
  const hook = buildPermitHook(token, terms, signature)
  const { args } = decodeFunctionData({ abi, data: hook.callData as `0x${string}` })
  expect(hook.target).toBe(token)
  expect(args?.slice(0, 4).map((value) => String(value).toLowerCase())).toEqual([
    owner,
    vaultRelayer,
    '7',
    '1800000000',
  ])
  expect(`${args?.[5]}${args?.[6]?.slice(2)}${Number(args?.[4]).toString(16)}`).toBe(signature)
})

test('the placeholder costs as much gas as a signed permit', () => {
  const terms = { owner, spender: vaultRelayer, value: 7n, deadline: 1_800_000_000 }
  const signed = buildPermitHook(token, terms, `0x${'22'.repeat(64)}1c`)
  const placeholder = buildPlaceholderHook(token)
  expect(placeholder.gasLimit).toBe(signed.gasLimit)
  expect(placeholder.callData.length).toBe(signed.callData.length)
})
