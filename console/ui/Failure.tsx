import type { ApiFailure } from '../api/ApiFailure.ts'

type Props = { failure: ApiFailure; retry?: (() => void) | undefined }

/** An API error with its description, figures and the request id for support. */
export const Failure = ({ failure: { message, facts }, retry }: Props) => {
  const numbers = Object.entries(facts.data)
  return (
    <div class="notice error" role="alert">
      <p>
        {facts.errorType && <strong>{facts.errorType}: </strong>}
        {message}
      </p>
      {numbers.length > 0 && (
        <dl class="facts">
          {numbers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {facts.requestId && <p class="fine">Request {facts.requestId}</p>}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
