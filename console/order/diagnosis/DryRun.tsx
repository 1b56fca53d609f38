import { useState } from 'preact/hooks'
import { type ApiFailure, asFailure } from '../../api/ApiFailure.ts'
import { client } from '../../api/client.ts'
import type { components } from '../../api/openapi.d.ts'
import { read } from '../../api/read.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { toWords } from '../../ui/toWords.ts'
import type { Order } from '../loading/loadOrder.ts'
import type { TokenPair } from '../terms/useTokenPair.ts'
import { DiagnosisFacts } from './DiagnosisFacts.tsx'

type Result = components['schemas']['DryRun']
type Check = Result['checks'][number]

const names: Record<Check['check'], string> = {
  shape: 'Terms',
  permission: 'Permission',
  tokens: 'Tokens',
  appData: 'App data',
  time: 'Time',
  expiry: 'Expiry',
  signature: 'Signature',
  state: 'State on-chain',
  settlement: 'Earlier settlements',
  hooks: 'Hooks',
  balance: 'Balance',
  allowance: 'Approval',
  transferability: 'Transfer of the sell token',
  payout: 'Payout to the receiver',
  solvers: 'Support of solvers',
  dust: 'Size of the rest',
  price: 'Price',
}
const marks: Record<Check['status'], string> = { pass: '✓', fail: '✗', skipped: '–' }
const words: Record<Check['status'], string> = { pass: 'passes', fail: 'fails', skipped: 'skipped' }

/** Without a current price from solvers, passed checks do not make an order ready. */
const describeResult = ({ fillable, checks }: Result): string => {
  if (!fillable) return 'Cannot settle now.'
  const isPriced = checks.some(({ check, status }) => check === 'price' && status === 'pass')
  return isPriced ? 'Ready to settle at its price.' : 'All checks pass; current price unknown.'
}

type Props = { network: Network; order: Order; pair: TokenPair }

/** Simulates on request whether the rest of an order would settle now. */
export const DryRun = ({ network, order, pair }: Props) => {
  const [result, setResult] = useState<Result>()
  const [failure, setFailure] = useState<ApiFailure>()
  const [isRunning, setIsRunning] = useState(false)
  const run = async () => {
    setIsRunning(true)
    setFailure(undefined)
    const params = { path: { network: network.name, uid: order.uid } }
    await read(client.GET('/{network}/api/v1/orders/{uid}/simulate', { params })).then(setResult, (thrown: unknown) =>
      setFailure(asFailure(thrown)),
    )
    setIsRunning(false)
  }
  return (
    <div class="dry-run">
      <button type="button" onClick={run} disabled={isRunning}>
        {isRunning ? 'Simulating …' : result ? 'Simulate again' : 'Simulate settlement'}
      </button>
      <div aria-live="polite">
        {failure && <Failure failure={failure} />}
        {result && (
          <>
            <p>
              <strong>{describeResult(result)}</strong>
              {result.block !== null && <span class="muted"> Simulated at block {result.block}.</span>}
            </p>
            <ul class="checks">
              {result.checks.map((check) => (
                <li key={check.check} class={check.status}>
                  <span aria-hidden="true" class="check-mark">
                    {marks[check.status]}
                  </span>
                  <div>
                    {names[check.check] ?? check.check}
                    <span class={check.status === 'fail' ? undefined : 'visually-hidden'}> {words[check.status]}</span>
                    {check.reason && `: ${toWords(check.reason)}`}
                    {check.status === 'fail' && <DiagnosisFacts network={network} pair={pair} data={check.evidence} />}
                  </div>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
