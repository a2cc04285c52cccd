import './tables.css';

export { default } from 'vitepress/theme';
