import { useState } from 'preact/hooks'
import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import { Failure } from '../ui/Failure.tsx'
import { SignedRequestState } from './SignedRequestState.tsx'
import { SubscribeForm } from './SubscribeForm.tsx'
import { SubscriptionRow } from './SubscriptionRow.tsx'
import { type Signer, signManage, useSignedRequest } from './useSignedRequest.ts'

/** The subscriptions of the account, once it has signed for the list, and the form for another one. */
export const Subscriptions = ({ signer }: { signer: Signer }) => {
  const { address } = signer.connection
  // a signed list is repeatable until its deadline, so one signature serves all reloads of the page
  const [authorization, setAuthorization] = useState<string | null>(null)
  const { state, run, isBusy } = useSignedRequest()
  const { data, failure, reload } = useRequest(authorization && `subscriptions ${authorization}`, (signal) =>
    read(
      client.GET('/accounts/{account}/subscriptions', {
        params: { path: { account: address }, header: { authorization: authorization ?? '' } },
        signal,
      }),
    ),
  )
  const show = () =>
    run(
      () => signManage(signer, 'list', ''),
      async (signed) => setAuthorization(signed),
    )
  return (
    <>
      <section class="panel">
        <h2>Your subscriptions</h2>
        {authorization === null && (
          <>
            <p class="muted">They are private: sign once to see them.</p>
            <button type="button" disabled={isBusy} onClick={show}>
              Show my subscriptions
            </button>
          </>
        )}
        <SignedRequestState state={state} />
        {failure && (
          <Failure failure={failure} retry={failure.facts.status === 401 ? () => setAuthorization(null) : reload} />
        )}
        {authorization !== null && !data && !failure && <p class="loading">Loading …</p>}
        {data?.length === 0 && <p class="muted">This account has no subscriptions.</p>}
        {data && data.length > 0 && (
          <ul class="subscriptions" aria-label="Subscriptions">
            {data.map((subscription) => (
              <SubscriptionRow key={subscription.id} signer={signer} subscription={subscription} onChanged={reload} />
            ))}
          </ul>
        )}
      </section>
      <section class="panel">
        <h2>Add a subscription</h2>
        <SubscribeForm signer={signer} onSaved={reload} />
      </section>
    </>
  )
}
