// What a browser shows that is not paired.

export function Pairing({ why }: { why?: string | undefined }) {
  return (
    <main class="pairing">
      <h1>hookbell</h1>
      <h2>This browser is not paired</h2>
      {why === undefined ? null : <p role="alert">{`${why.charAt(0).toUpperCase()}${why.slice(1)}.`}</p>}
      <p>In a terminal on the computer whose sessions you want to see, run</p>
      <pre tabIndex={0} aria-label="Command">
        hookbell devices add
      </pre>
      <p>
        and open the link that it prints. With <code>--answer</code>, this browser may also answer questions.
      </p>
    </main>
  );
}
