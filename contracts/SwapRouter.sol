// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

interface IFactory {
    function getPool(address tokenA, address tokenB, uint24 fee) external view returns (address);
}

interface IPool {
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

/// Swaps through one Uniswap V3 pool, which requests its payment in a callback that the settlement contract lacks. The
/// part of Uniswap's SwapRouter02 that the reference solver uses, with the same interface; public networks have the
/// full contract at `uniswapV3.router` in shared/networks.ts.
contract SwapRouter {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        /// 0: this contract's whole balance of `tokenIn`, sent before by the caller
        uint256 amountIn;
        uint256 amountOutMinimum;
        /// 0: no limit
        uint160 sqrtPriceLimitX96;
    }

    struct Payment {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address payer;
    }

    uint160 private constant lowestPrice = 4295128739;
    uint160 private constant highestPrice = 1461446703485210103287273052203988822378723970342;

    address public immutable factory;

    constructor(address factory_) {
        factory = factory_;
    }

    function exactInputSingle(ExactInputSingleParams calldata params) external payable returns (uint256 amountOut) {
        bool isPaid = params.amountIn == 0;
        uint256 amountIn = isPaid ? IToken(params.tokenIn).balanceOf(address(this)) : params.amountIn;
        bool zeroForOne = params.tokenIn < params.tokenOut;
        uint160 limit = zeroForOne ? lowestPrice + 1 : highestPrice - 1;
        Payment memory payment =
            Payment(params.tokenIn, params.tokenOut, params.fee, isPaid ? address(this) : msg.sender);
        (int256 amount0, int256 amount1) = IPool(IFactory(factory).getPool(params.tokenIn, params.tokenOut, params.fee))
            .swap(
                params.recipient,
                zeroForOne,
                int256(amountIn),
                params.sqrtPriceLimitX96 == 0 ? limit : params.sqrtPriceLimitX96,
                abi.encode(payment)
            );
        amountOut = uint256(-(zeroForOne ? amount1 : amount0));
        require(amountOut >= params.amountOutMinimum, "Too little received");
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        Payment memory payment = abi.decode(data, (Payment));
        require(msg.sender == IFactory(factory).getPool(payment.tokenIn, payment.tokenOut, payment.fee), "not a pool");
        uint256 owed = uint256(amount0 > 0 ? amount0 : amount1);
        if (payment.payer == address(this)) {
            require(IToken(payment.tokenIn).transfer(msg.sender, owed), "transfer failed");
        } else {
            require(IToken(payment.tokenIn).transferFrom(payment.payer, msg.sender, owed), "transfer failed");
        }
    }
}
