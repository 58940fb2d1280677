export const HomePage = () => <p>HomePage</p>
