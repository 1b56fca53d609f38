// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What a conditional order's handler implements, and the errors by which it says when to try again. Same interfaces,
/// errors and static inputs as the handlers of the public networks (docs/strategies.md).
abstract contract ConditionalOrder {
    /// An order of the settlement contract; a static struct in memory is the EIP-712 encoding of its members.
    struct Order {
        address sellToken;
        address buyToken;
        address receiver;
        uint256 sellAmount;
        uint256 buyAmount;
        uint32 validTo;
        bytes32 appData;
        uint256 feeAmount;
        bytes32 kind;
        bool partiallyFillable;
        bytes32 sellTokenBalance;
        bytes32 buyTokenBalance;
    }

    error OrderNotValid(string reason);
    error PollTryNextBlock(string reason);
    error PollTryAtBlock(uint256 blockNumber, string reason);
    error PollTryAtEpoch(uint256 timestamp, string reason);
    error PollNever(string reason);

    bytes32 internal constant ORDER_TYPE_HASH = keccak256(
        "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)"
    );
    bytes32 internal constant KIND_SELL = keccak256("sell");
    bytes32 internal constant KIND_BUY = keccak256("buy");
    bytes32 internal constant BALANCE_ERC20 = keccak256("erc20");

    /// The order that is tradeable now; reverts with one of the errors above.
    /// @param context hash of the parameters, or zero for a member of a merkle tree
    function getTradeableOrder(
        address owner,
        address sender,
        bytes32 context,
        bytes calldata staticInput,
        bytes calldata offchainInput
    ) public view virtual returns (Order memory);

    /// Reverts unless the hash is that of the order that is tradeable now.
    function verify(
        address owner,
        address sender,
        bytes32 orderHash,
        bytes32 domainSeparator,
        bytes32 context,
        bytes calldata staticInput,
        bytes calldata offchainInput,
        Order calldata
    ) external view {
        Order memory order = getTradeableOrder(owner, sender, context, staticInput, offchainInput);
        if (hashOrder(order, domainSeparator) != orderHash) revert OrderNotValid("invalid hash");
    }

    /// ERC-165, and the interface of generators: its one function is `getTradeableOrder`.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == this.getTradeableOrder.selector || id == this.supportsInterface.selector;
    }

    function hashOrder(Order memory order, bytes32 domainSeparator) internal pure returns (bytes32) {
        bytes32 structHash = keccak256(abi.encodePacked(ORDER_TYPE_HASH, abi.encode(order)));
        return keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash));
    }

    /// End of the period of this length that contains the current time, so that the order is the same throughout.
    function endOfPeriod(uint32 length) internal view returns (uint32) {
        return uint32(block.timestamp / length * length) + length;
    }
}
