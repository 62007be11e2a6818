export function StudioPage() {
  return <main>Studio</main>;
}
