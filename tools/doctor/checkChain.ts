import { z } from 'zod'
import type { Network } from '#shared/networks.ts'
import { type DoctorFinding, limited, ok, wrong } from './finding.ts'
import { queryChain } from './queryChain.ts'

/** Minimum lag of a node that is behind; slow networks may be quiet for some blocks. */
const minLagSeconds = 60
const lagBlocks = 10
const maxAheadSeconds = 60

const zeroAddress = `0x${'00'.repeat(20)}`
const noTransaction = `0x${'00'.repeat(32)}`

const blockSchema = z.object({ number: z.string(), hash: z.string(), timestamp: z.string().transform(Number) })

type Method = { method: string; params: (hash: string) => unknown[] /** the loss without it */; without?: string }

/** Methods that the Workers use, each with a read-only call. */
const methods: Method[] = [
  { method: 'eth_blockNumber', params: () => [] },
  { method: 'eth_call', params: () => [{ to: zeroAddress, data: '0x' }, 'latest'] },
  { method: 'eth_gasPrice', params: () => [] },
  { method: 'eth_getLogs', params: (hash) => [{ blockHash: hash, address: zeroAddress }] },
  { method: 'eth_getStorageAt', params: () => [zeroAddress, '0x0', 'latest'] },
  { method: 'eth_getTransactionCount', params: () => [zeroAddress, 'pending'] },
  { method: 'eth_getTransactionReceipt', params: () => [noTransaction] },
  { method: 'eth_estimateGas', params: () => [{ from: zeroAddress, to: zeroAddress, data: '0x' }] },
  {
    method: 'eth_simulateV1',
    params: () => [{ blockStateCalls: [{ calls: [{ to: zeroAddress, data: '0x' }] }] }, 'latest'],
  },
  {
    method: 'eth_feeHistory',
    params: () => ['0x1', 'latest', []],
    without: 'suggested slippages have the default room for network fees',
  },
  {
    method: 'eth_getBlockReceipts',
    params: (hash) => [hash],
    without: 'contradictions between bloom filter and logs are not detected',
  },
  {
    method: 'debug_traceTransaction',
    params: () => [noTransaction, { tracer: 'callTracer' }],
    without: 'settlements made through other contracts count as foreign',
  },
  {
    method: 'debug_traceCall',
    params: () => [{ to: zeroAddress, data: '0x' }, 'latest', { tracer: 'prestateTracer' }],
    without: 'simulated bundles have no stateDiff',
  },
]

/** Whether a node serves the network, is at its head, and has the methods that the Workers use. */
export const checkChain = async (
  rpcUrl: string,
  network: Network,
  now: () => number = Date.now,
): Promise<{ isRight: boolean; findings: DoctorFinding[] }> => {
  const id = await queryChain(rpcUrl, 'eth_chainId', [])
  if (id.kind !== 'result') {
    const fix = 'set RPC_URL to a JSON-RPC node reachable from this machine; try it with curl'
    return { isRight: false, findings: [wrong('node', `no answer of ${URL.parse(rpcUrl)?.host}: ${id.message}`, fix)] }
  }
  const chainId = Number(id.result)
  if (chainId !== network.chainId) {
    const fix = `set RPC_URL to a node of ${network.name}`
    return { isRight: false, findings: [wrong('chain id', `${chainId}, expected ${network.chainId}`, fix)] }
  }
  const head = await queryChain(rpcUrl, 'eth_getBlockByNumber', ['latest', false])
  const block = blockSchema.safeParse(head.kind === 'result' ? head.result : undefined)
  if (!block.success) {
    const fix = 'use another node: this one does not return its newest block'
    return { isRight: false, findings: [ok('chain id', String(chainId)), wrong('head', 'unreadable', fix)] }
  }
  const { hash, timestamp } = block.data
  const asked = await Promise.all(methods.map((method) => checkMethod(rpcUrl, method, hash)))
  const findings = [
    ok('chain id', String(chainId)),
    checkAge(Math.round(now() / 1_000) - timestamp, Number(block.data.number), network),
    ...asked,
  ]
  return { isRight: true, findings }
}

const checkAge = (age: number, number: number, network: Network): DoctorFinding => {
  const maxAge = Math.max(minLagSeconds, lagBlocks * network.blockTimeSeconds)
  if (age > maxAge)
    return wrong(
      'head',
      `block ${number} is ${age} s old`,
      'the node is behind: wait until it has caught up, or use another',
    )
  if (age < -maxAheadSeconds)
    return wrong(
      'head',
      `block ${number} is ${-age} s in the future`,
      'set the clock of this machine, or use another node',
    )
  return ok('head', `block ${number}, ${age} s old`)
}

const checkMethod = async (
  rpcUrl: string,
  { method, params, without }: Method,
  hash: string,
): Promise<DoctorFinding> => {
  const answer = await queryChain(rpcUrl, method, params(hash))
  if (answer.kind === 'result') return ok(method, 'answered')
  // a node with tracing responds to an unknown transaction with an error
  if (answer.kind === 'error') return without ? ok(method, 'there') : wrong(method, answer.message, 'use another node')
  const remedy = 'use a node, or a plan of its provider, that has the method'
  return without ? limited(method, `missing: ${without}`, remedy) : wrong(method, `missing: ${answer.message}`, remedy)
}
