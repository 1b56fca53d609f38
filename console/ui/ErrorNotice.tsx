/** An error that is announced at once; nothing without one. */
export const ErrorNotice = ({ text }: { text: string | null | undefined | false }) =>
  text ? (
    <p class="notice error" role="alert">
      {text}
    </p>
  ) : null
