import { networks } from '#shared/networks.ts'
import { type DoctorFinding, ok, wrong } from './finding.ts'
import { queryChain } from './queryChain.ts'

/** Whether `MAINNET_RPC_URL` is an Ethereum node. */
export const checkMainnet = async (rpcUrl: string): Promise<DoctorFinding[]> => {
  const name = 'node of MAINNET_RPC_URL'
  const remedy = 'set it to a node of Ethereum mainnet'
  const answer = await queryChain(rpcUrl, 'eth_chainId', [])
  if (answer.kind !== 'result') return [wrong(name, `no answer: ${answer.message}`, remedy)]
  const chainId = Number(answer.result)
  return [
    chainId === networks.mainnet.chainId
      ? ok(name, `chain id ${chainId}`)
      : wrong(name, `chain id ${chainId}, expected ${networks.mainnet.chainId}`, remedy),
  ]
}
