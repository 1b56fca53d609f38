import './skeleton.css'

/** Reserves the place of a text that loads. @param width CSS length */
export const Skeleton = ({ width = '6rem' }: { width?: string }) => (
  <span class="skeleton" aria-hidden="true" style={{ inlineSize: width }} />
)
