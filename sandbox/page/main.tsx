import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { guardLinks } from './external-link.tsx';

const root = document.getElementById('root');
guardLinks(document);
if (root) createRoot(root).render(<App />);
