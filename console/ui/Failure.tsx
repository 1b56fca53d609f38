import type { ApiFailure } from '../api/ApiFailure.ts'
import './failure.css'
import { toWords } from './toWords.ts'

type Props = { failure: ApiFailure; retry?: (() => void) | undefined }

/** An API error in words, with its figures and the request id for support in a disclosure. */
export const Failure = ({ failure: { message, facts }, retry }: Props) => {
  const numbers = Object.entries(facts.data)
  const hasDetails = numbers.length > 0 || facts.requestId !== null
  return (
    <div class="notice error failure" role="alert">
      <p>
        {facts.errorType && <strong>{toWords(facts.errorType)}: </strong>}
        {message}
      </p>
      {retry && (
        <button type="button" class="small" onClick={retry}>
          Try again
        </button>
      )}
      {hasDetails && (
        <details>
          <summary class="fine">Technical details</summary>
          <dl class="facts fine">
            {numbers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
            {facts.requestId && (
              <div>
                <dt>Request</dt>
                <dd>{facts.requestId}</dd>
              </div>
            )}
          </dl>
        </details>
      )}
    </div>
  )
}
