export function AuthPage() {
  return <main>Auth</main>;
}
